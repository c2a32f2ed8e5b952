// SPDX-License-Identifier: Apache-2.0
// Requirements files inside a source tree (requires_from): the tree is somebody else's, so nothing
// outside it is read, no URL is fetched, no variable of ours is put in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pep/requirement.hpp"

namespace wheelforge::config {

/// The text of a file by its path in the tree ("requirements/rocm.txt"); nullopt if there is none.
using ReadInTree = std::function<std::optional<std::string>(const std::string& path)>;

/// The requirements of a file and of those it takes in with -r, in order. Options about indexes
/// are left alone; hashes and constraints are no requirements. Throws Error{build_failed}
/// "bad-requires-from" with the line.
[[nodiscard]] std::vector<pep::Requirement>
read_tree_requirements(const std::string& path, const ReadInTree& read);

}  // namespace wheelforge::config
