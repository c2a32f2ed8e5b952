// SPDX-License-Identifier: Apache-2.0
// Real copies of cached trees, for when no overlay can be had: never links, since a build may
// write into its environment.
#pragma once

#include <filesystem>

namespace wheelforge::build {

/// Copies files, folders and links below `from` into `to`; files already there stay (they are
/// equal: see require_no_conflict).
void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

/// Rewrites the scripts in a bin folder that start with the interpreter of prefix `from`.
void move_scripts(
    const std::filesystem::path& bin,
    const std::filesystem::path& from,
    const std::filesystem::path& to
);

}  // namespace wheelforge::build
