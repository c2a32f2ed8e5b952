// SPDX-License-Identifier: Apache-2.0
// One wheel as the checks see it: read once, kept without its bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pep/filename.hpp"
#include "pep/metadata.hpp"
#include "wheel/finding.hpp"
#include "wheel/inspect.hpp"
#include "wheel/verify/expectation.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {

/// A path of somebody's machine inside a file.
struct PathLeak {
    std::string file;
    std::string text;
    bool is_private = false;  ///< a folder of this very build
};

struct Subject {
    std::filesystem::path path;
    std::string label;    ///< file name
    bool judged = true;   ///< false: only there to resolve against
    std::string refused;  ///< why it could not be opened; then only path and label are set
    std::string name;     ///< normalised
    pep::WheelFilename filename;
    pep::Metadata metadata;
    WheelInfo info;
    std::set<std::string> members;
    std::vector<FileReport> files;
    std::vector<PathLeak> leaks;
    std::optional<DeclaredBuild> declared;
    std::vector<Finding> structure;
    std::uint64_t unpacked_bytes = 0;

    [[nodiscard]] bool has_elf() const;
    [[nodiscard]] bool has_kernels() const;
    [[nodiscard]] bool has_tag_platform(std::string_view prefix) const;
};

/// Never throws for what is inside the wheel.
[[nodiscard]] Subject
load_subject(const std::filesystem::path& wheel, const std::vector<std::string>& private_paths);
/// Its libraries alone: enough to resolve other wheels against.
[[nodiscard]] Subject load_neighbour(const std::filesystem::path& wheel);
/// Its device code and libraries, without structure and leaks: enough for a baseline.
[[nodiscard]] Subject load_baseline_wheel(const std::filesystem::path& wheel);

/// The wheels that a path stands for: itself, or those of a folder (also below it), sorted.
[[nodiscard]] std::vector<std::filesystem::path> wheels_of(const std::filesystem::path& path);

}  // namespace wheelforge::wheel
