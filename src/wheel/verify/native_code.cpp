// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/native_code.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <istream>
#include <limits>
#include <string_view>
#include <system_error>

#include "base/text.hpp"
#include "wheel/identifier.hpp"

namespace wheelforge::wheel {

namespace {

namespace fs = std::filesystem;

/// -mtune=native alone changes no instruction.
constexpr std::array<std::string_view, 3> native_options = {
    "-march=native", "-mcpu=native", "target-cpu=native"
};

std::optional<std::string> native_option_in(std::string_view line) {
    for (const auto option : native_options) {
        const auto at = line.find(option);
        const auto end = at + option.size();
        if (at != std::string_view::npos
            && (end >= line.size() || !(is_word(line[end]) || line[end] == '-'))) {
            return std::string(option);
        }
    }
    return std::nullopt;
}

bool calls_compiler(std::string_view line) {
    const auto holds = [&](std::string_view word) {
        return line.find(word) != std::string_view::npos;
    };
    return holds(" -o ") || holds("rustc --crate-name");
}

bool is_no_comment(std::string_view line) {
    return !trim(line).starts_with('#');
}

/// Of a line that is longer only the beginning is looked at.
template <typename Counts>
std::optional<NativeOption> first_in(std::istream& text, const Counts& counts) {
    constexpr std::size_t longest = 1U << 20U;
    std::string line(longest, '\0');
    int number = 0;
    while (text.good()) {
        ++number;
        text.getline(line.data(), static_cast<std::streamsize>(line.size()));
        const bool is_cut = text.fail() && !text.eof() && !text.bad();
        const std::string_view head(line.data());
        if (auto option = native_option_in(head); option && counts(head)) {
            return NativeOption{std::move(*option), "", number};
        }
        if (is_cut) {
            text.clear();
            text.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        }
    }
    return std::nullopt;
}

bool is_build_file(const fs::path& path) {
    constexpr std::array<std::string_view, 3> names = {
        "build.ninja", "flags.make", "compile_commands.json"
    };
    return std::find(names.begin(), names.end(), path.filename().string()) != names.end();
}

}  // namespace

std::optional<NativeOption> native_option_in_log(std::istream& log) {
    return first_in(log, calls_compiler);
}

std::optional<NativeOption> native_option_in_build_files(const fs::path& folder) {
    std::error_code failure;
    fs::recursive_directory_iterator walk(folder, failure);
    for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
        std::error_code ignored;
        if (walk->is_symlink(ignored) || !walk->is_regular_file(ignored)
            || !is_build_file(walk->path())) {
            continue;
        }
        std::ifstream text(walk->path(), std::ios::binary);
        if (auto found = first_in(text, is_no_comment)) {
            found->file = walk->path().lexically_relative(folder).string();
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace wheelforge::wheel
