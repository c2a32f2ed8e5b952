// SPDX-License-Identifier: Apache-2.0
// pyproject.toml: [build-system] (PEP 517, 518) and the static part of [project] (PEP 621).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "pep/dependency_groups.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::pep {

struct BuildSystem {
    std::vector<std::string> requires_text;  ///< as written, for the inputs of a build
    std::vector<Requirement> requires_;
    std::string backend;  ///< "setuptools.build_meta", "a.b:c.d"
    std::vector<std::string> backend_path;
    bool legacy = false;  ///< no [build-system] or no build-backend: setuptools' legacy backend

    /// What a tree without pyproject.toml gets: `setuptools >= 40.8.0`,
    /// setuptools.build_meta:__legacy__.
    [[nodiscard]] static BuildSystem legacy_default();
};

struct Project {
    std::string name;  ///< as written
    std::optional<std::string> version;
    std::optional<std::vector<Requirement>> dependencies;  ///< nullopt when dynamic
    /// extra -> requirements; nullopt when dynamic
    std::optional<std::vector<std::pair<std::string, std::vector<Requirement>>>>
        optional_dependencies;
    std::optional<std::string> requires_python;
    std::vector<std::string> dynamic;
};

struct Pyproject {
    BuildSystem build_system;
    std::optional<Project> project;
    DependencyGroups dependency_groups;
    /// Refuses invalid TOML, a backend-path that leaves the tree, [build-system] without
    /// `requires`, values of the wrong type.
    [[nodiscard]] static Parsed<Pyproject> parse(std::string_view toml);
};

}  // namespace wheelforge::pep
