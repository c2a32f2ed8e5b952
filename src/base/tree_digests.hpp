// SPDX-License-Identifier: Apache-2.0
// A folder told by what is in it, so that it can be seen later whether it still is what it was.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge {

/// A line for each file (sha256, '*' if it may be run, else ' ', path) and link ("->", target,
/// path) below `root`, by path. Throws what reading throws.
[[nodiscard]] std::string tree_digests(const std::filesystem::path& root);

/// The first path that two such texts tell differently; nullopt when they are the same.
[[nodiscard]] std::optional<std::string>
first_difference(std::string_view before, std::string_view now);

}  // namespace wheelforge
