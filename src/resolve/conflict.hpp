// SPDX-License-Identifier: Apache-2.0
// Why there is no solution: the derivation as a value, and as prose.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "resolve/problem.hpp"

namespace wheelforge::resolve {

/// One step of the shortest chain of facts that cannot all hold.
struct Link {
    std::string package;    ///< who says it ("flask 3.1.0", or the origin of a root)
    std::string requires_;  ///< what it says ("click>=8.1.3", "has no sdist")
    std::string origin;     ///< "requirements.txt:3", "constraints/cpu.txt:4", ""
};

/// A line of the user that takes part in a conflict: Problem::roots or constraints at `index`.
struct UserLine {
    bool constraint = false;
    std::size_t index = 0;
    auto operator<=>(const UserLine&) const = default;
};

struct Conflict {
    std::string scope;
    std::vector<Link> chain;
    std::string prose;  ///< the explanation, several lines, no trailing newline
    /// A package nobody knows, or without any usable version, when that alone is the reason.
    std::vector<std::string> packages_without_versions;
    /// Names of packages the user's own lines (roots, constraints) pin in this conflict.
    std::vector<std::string> relaxable;
    std::vector<UserLine> lines;  ///< all lines of the user in this conflict, in their order
};

}  // namespace wheelforge::resolve
