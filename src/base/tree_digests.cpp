// SPDX-License-Identifier: Apache-2.0
#include "base/tree_digests.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

std::string fact_of(const fs::directory_entry& entry) {
    if (entry.is_symlink()) {
        return "-> " + fs::read_symlink(entry.path()).native();
    }
    const auto mode = entry.status().permissions();
    const bool runs = (mode & fs::perms::owner_exec) != fs::perms::none;
    return sha256_file(entry.path()) + (runs ? " *" : "  ");
}

}  // namespace

std::string tree_digests(const fs::path& root) {
    std::map<std::string, std::string> facts;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_symlink() || !entry.is_directory()) {
            facts.emplace(entry.path().lexically_relative(root).native(), fact_of(entry));
        }
    }
    std::string text;
    for (const auto& [path, fact] : facts) {
        text += fact + " " + path + "\n";
    }
    return text;
}

std::optional<std::string> first_difference(std::string_view before, std::string_view now) {
    const auto old_lines = lines(before);
    const auto new_lines = lines(now);
    const auto [old_line, new_line] =
        std::mismatch(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end());
    if (old_line == old_lines.end() && new_line == new_lines.end()) {
        return std::nullopt;
    }
    const auto line = old_line != old_lines.end() ? *old_line : *new_line;
    return std::string(line.substr(line.rfind(' ') + 1));
}

}  // namespace wheelforge
