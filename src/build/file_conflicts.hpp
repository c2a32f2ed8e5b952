// SPDX-License-Identifier: Apache-2.0
// Whether the trees of an environment fit together.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wheelforge::build {

struct Layer {
    std::string name;  ///< for messages: the wheel's file name
    std::filesystem::path root;
    std::vector<std::string> files;  ///< relative to root
};

/// Throws Error{refused} "file-conflict" when two layers own the same file with other contents, or
/// one has a file where another has a folder.
void require_no_conflict(const std::vector<Layer>& layers);

}  // namespace wheelforge::build
