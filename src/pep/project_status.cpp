// SPDX-License-Identifier: Apache-2.0
#include "pep/project_status.hpp"

#include <array>
#include <utility>

namespace wheelforge::pep {

namespace {

constexpr std::array<std::pair<std::string_view, ProjectStatus>, 4> statuses{{
    {"active", ProjectStatus::active},
    {"archived", ProjectStatus::archived},
    {"quarantined", ProjectStatus::quarantined},
    {"deprecated", ProjectStatus::deprecated},
}};

}  // namespace

std::optional<ProjectStatus> project_status(std::string_view name) noexcept {
    for (const auto& [known, status] : statuses) {
        if (known == name) {
            return status;
        }
    }
    return std::nullopt;
}

std::string_view name_of(ProjectStatus status) noexcept {
    for (const auto& [name, known] : statuses) {
        if (known == status) {
            return name;
        }
    }
    return "";
}

}  // namespace wheelforge::pep
