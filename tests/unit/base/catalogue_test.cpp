// SPDX-License-Identifier: Apache-2.0
// Compares src/base/errors.yaml with the sources: every id that is thrown is in the catalogue under
// the exit code it is thrown with, and nothing else is.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "base/catalogue.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

const std::map<std::string, ExitCode, std::less<>> codes{
    {"build_failed", ExitCode::build_failed},
    {"usage", ExitCode::usage},
    {"unsatisfiable", ExitCode::unsatisfiable},
    {"refused", ExitCode::refused},
    {"surroundings", ExitCode::surroundings},
    {"bug", ExitCode::bug},
    {"interrupted", ExitCode::interrupted},
    {"terminated", ExitCode::terminated},
};

constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

struct Use {
    std::string id;
    std::string code;
    std::string file;
};

/// What follows the opening quote at `at`, if it looks like an id.
std::optional<std::string> id_at(std::string_view text, std::size_t at) {
    constexpr std::string_view id_characters = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (at >= text.size() || text[at] != '"') {
        return std::nullopt;
    }
    const auto end = text.find_first_not_of(id_characters, at + 1);
    if (end == std::string_view::npos || text[end] != '"' || end == at + 1) {
        return std::nullopt;
    }
    return std::string(text.substr(at + 1, end - at - 1));
}

/// Every `ExitCode::NAME, "id"`, however it is broken into lines.
void collect_uses(std::string_view text, const std::string& file, std::vector<Use>& uses) {
    constexpr std::string_view marker = "ExitCode::";
    constexpr std::string_view blanks = " \t\n";
    for (auto at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at)) {
        at += marker.size();
        const auto name_end = text.find_first_not_of(name_characters, at);
        const auto comma = text.find_first_not_of(blanks, name_end);
        if (comma == std::string_view::npos || text[comma] != ',') {
            continue;
        }
        if (auto id = id_at(text, text.find_first_not_of(blanks, comma + 1))) {
            uses.push_back({std::move(*id), std::string(text.substr(at, name_end - at)), file});
        }
    }
}

/// Every literal that looks like an id.
void collect_literals(std::string_view text, std::set<std::string>& literals) {
    for (auto at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
        if (auto id = id_at(text, at)) {
            literals.insert(std::move(*id));
        }
    }
}

struct Sources {
    std::vector<Use> uses;
    std::set<std::string> literals;
};

const Sources& sources() {
    static const Sources all = [] {
        Sources found;
        const fs::path root = fs::path(WHEELFORGE_SOURCE_DIR) / "src";
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
                const std::string text = read_file(entry.path());
                const std::string name = fs::relative(entry.path(), root).string();
                collect_uses(text, name, found.uses);
                collect_literals(text, found.literals);
            }
        }
        return found;
    }();
    return all;
}

TEST(Catalogue, ScannerSeesBothFormsOfConstruction) {
    std::vector<Use> uses;
    collect_uses(
        "throw Error{ExitCode::usage, \"one-id\", x}; throw Error(\n  ExitCode::bug,\n  \"two\","
        " y); f(ExitCode::ok); Error{ExitCode::usage, id, x};",
        "f",
        uses
    );
    ASSERT_EQ(uses.size(), 2U);
    EXPECT_EQ(uses[0].id, "one-id");
    EXPECT_EQ(uses[1].code, "bug");
}

TEST(Catalogue, HasEveryIdThatIsThrownWithItsExitCode) {
    ASSERT_GT(sources().uses.size(), 20U);
    for (const auto& use : sources().uses) {
        const auto entry = explain(use.id);
        if (!entry) {
            ADD_FAILURE() << use.file << ": '" << use.id << "' is missing in src/base/errors.yaml";
            continue;
        }
        const auto code = codes.find(use.code);
        ASSERT_NE(code, codes.end()) << use.file << ": ExitCode::" << use.code;
        EXPECT_EQ(entry->exit, static_cast<int>(code->second)) << use.id << " in " << use.file;
    }
}

TEST(Catalogue, HasTheIdsOfArchivesAndZipFiles) {
    // Those reach Error through functions of their own.
    for (const auto& literal : sources().literals) {
        const bool is_family = literal.ends_with("-");  // compared with, not thrown
        if (!is_family && (literal.starts_with("archive-") || literal.starts_with("zip-"))) {
            EXPECT_TRUE(explain(literal))
                << "'" << literal << "' is missing in src/base/errors.yaml";
        }
    }
}

TEST(Catalogue, HasNothingThatIsNeverThrown) {
    for (const auto& id : error_ids()) {
        EXPECT_TRUE(sources().literals.contains(id)) << "'" << id << "' stands in no source file";
    }
}

TEST(Catalogue, EntriesAreWholeAndOfOneForm) {
    for (const auto& id : error_ids()) {
        const auto entry = explain(id);
        ASSERT_TRUE(entry);
        EXPECT_EQ(entry->id, id);
        EXPECT_TRUE(entry->meaning.ends_with('.')) << id;
        EXPECT_TRUE(entry->advice.empty() || entry->advice.ends_with('.')) << id;
        EXPECT_TRUE(std::any_of(
            codes.begin(),
            codes.end(),
            [&](const auto& code) { return static_cast<int>(code.second) == entry->exit; }
        )) << id
           << " has exit " << entry->exit;
    }
}

TEST(Catalogue, KnowsNothingOfOtherWords) {
    EXPECT_FALSE(explain("no-such-id"));
    EXPECT_FALSE(explain(""));
    const auto ids = error_ids();
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
}

}  // namespace
}  // namespace wheelforge
