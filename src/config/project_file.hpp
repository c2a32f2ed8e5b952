// SPDX-License-Identifier: Apache-2.0
// wheelforge.yaml of the current folder, so that `wheelforge bootstrap --variant rocm` is a
// complete command:
//
//     constraints: [constraints/common.txt]     # these keys hold for every variant ...
//     output: out
//     variants:
//       rocm:                                   # ... that does not say otherwise here
//         requirements: [requirements/rocm.txt, "triton>=3.4"]
//         constraints: [constraints/rocm.txt]
//         settings: overrides/settings          # a folder, or a file
//         archs: [gfx942, gfx950]
//       cpu: {requirements: [requirements/cpu.txt]}
//
// An item of `requirements` that ends in .txt, or has a '/' and no '@', is a file; any other is a
// requirement (PEP 508). Paths are relative to the file. A value of a variant replaces the one for
// all. Unknown keys are errors. Without `variants:` the file holds for any variant.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/requirements_file.hpp"

namespace wheelforge::config {

/// What the file says for one variant.
struct ProjectVariant {
    std::vector<std::string> requirement_files;
    std::vector<RequirementLine> requirements;  ///< without hashes
    std::vector<std::string> constraints;       ///< files or URLs
    std::optional<std::string> settings;        ///< a file or a folder
    std::vector<std::string> archs;             ///< in the order written
    std::optional<std::string> output;
};

class ProjectFile {
public:
    static constexpr std::string_view default_name = "wheelforge.yaml";

    /// nullopt if there is no such file.
    [[nodiscard]] static std::optional<ProjectFile>
    load_if_there(const std::string& path = std::string(default_name));
    [[nodiscard]] static ProjectFile parse(std::string_view text, const std::string& path);

    /// Throws Error{usage} "unknown-variant" naming those there are.
    [[nodiscard]] ProjectVariant for_variant(const std::string& name) const;
    /// Sorted.
    [[nodiscard]] std::vector<std::string> variants() const;
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
    ProjectVariant any_;
    std::map<std::string, ProjectVariant> variants_;
};

}  // namespace wheelforge::config
