// SPDX-License-Identifier: Apache-2.0
// Unpacks one wheel the way an installer does (PEP 427), into a tree laid out like a venv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::build {

/// Where the tree will stand, and for whom.
struct TreeLayout {
    std::string site_packages;     ///< "lib/python3.12/site-packages"
    std::string headers;           ///< "include/site/python3.12/NAME"
    std::filesystem::path prefix;  ///< goes into first lines of scripts

    [[nodiscard]] static TreeLayout
    of(const wheel::WheelFile& wheel, const Interpreter& interpreter, std::filesystem::path prefix);
};

/// Where a member goes below the tree, and how.
struct Destination {
    std::string path;
    bool is_script = false;
};
/// Throws Error{refused} "bad-wheel" for an unknown .data scheme.
[[nodiscard]] Destination destination_of(const std::string& member, const TreeLayout& layout);

/// Writes all members, console scripts, INSTALLER and a RECORD of what is there into `folder`.
/// @returns the files written, relative to `folder`, sorted
[[nodiscard]] std::vector<std::string> unpack_wheel(
    const wheel::WheelFile& wheel, const TreeLayout& layout, const std::filesystem::path& folder
);

}  // namespace wheelforge::build
