// SPDX-License-Identifier: Apache-2.0
// Dependency groups of pyproject.toml (PEP 735).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::pep {

struct DependencyGroup {
    struct Item {
        enum class Kind { requirement, include };
        Kind kind;
        std::string text;  ///< a requirement, or the name of the group to include
    };
    std::string name;  ///< as written
    std::vector<Item> items;
    std::string problem;  ///< what is wrong with its form, "" for nothing
};

struct DependencyGroups {
    std::vector<DependencyGroup> groups;  ///< in file order, unchecked

    /// The requirements of a group with those of the groups it includes, where they stand. Refused:
    /// an unknown name, a ring of includes, two groups with one normal name, anything malformed on
    /// the way. The error's offset is always 0.
    [[nodiscard]] Parsed<std::vector<Requirement>> resolve(std::string_view group) const;
};

}  // namespace wheelforge::pep
