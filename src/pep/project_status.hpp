// SPDX-License-Identifier: Apache-2.0
// Status of a project on an index (PEP 792).
#pragma once

#include <optional>
#include <string_view>

namespace wheelforge::pep {

enum class ProjectStatus { active, archived, quarantined, deprecated };

/// By its exact name; nullopt for a name that the standard does not know. An index that says
/// nothing means `active`.
[[nodiscard]] std::optional<ProjectStatus> project_status(std::string_view name) noexcept;
[[nodiscard]] std::string_view name_of(ProjectStatus status) noexcept;

/// Quarantined projects offer no files to install.
[[nodiscard]] constexpr bool may_be_installed(ProjectStatus status) noexcept {
    return status != ProjectStatus::quarantined;
}

}  // namespace wheelforge::pep
