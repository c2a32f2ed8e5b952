// SPDX-License-Identifier: Apache-2.0
// Which of the user's lines to relax so that a problem gets a solution.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "resolve/solve.hpp"

namespace wheelforge::resolve {

/// A line without its specifier, and what comes of it.
struct Relaxation {
    UserLine line;
    Wanted wanted;  ///< the line as it is now
    /// The version that would result; nullopt when the package is then not in the set.
    std::optional<pep::Version> version;
};

/// Lines to relax together.
struct Suggestion {
    std::vector<Relaxation> relaxations;  ///< roots first, in the order of the lines
    Resolution resolution;
};

struct SuggestLimits {
    std::size_t lines = 3;        ///< to relax together
    std::size_t suggestions = 3;  ///< alternatives of the smallest size
    std::size_t attempts = 60;    ///< problems solved
};

/// The smallest sets of lines that help, best first (roots before constraints in the order of the
/// lines); none when nothing within the limits helps. Relaxing a root keeps the package wanted,
/// relaxing a constraint drops the line.
[[nodiscard]] std::vector<Suggestion> suggest(
    const Problem& problem,
    const Conflict& conflict,
    Answerer& answerer,
    const SuggestLimits& limits = {}
);

}  // namespace wheelforge::resolve
