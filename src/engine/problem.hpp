// SPDX-License-Identifier: Apache-2.0
// The one place where a request and its settings become questions to the resolver: what is wanted,
// what bounds it, what is tried first. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/job.hpp"
#include "engine/request.hpp"
#include "resolve/problem.hpp"

namespace wheelforge::engine {

/// Versions to try first, the most important map first.
using Preferences = std::vector<std::map<std::string, pep::Version>>;

[[nodiscard]] std::map<std::string, pep::Version> versions_of(const resolve::Resolution& resolution
);

/// What a build environment is solved for.
struct BuildScope {
    const PreparedSource& source;
    std::vector<std::string> dynamic;  ///< answer of get_requires_for_build_wheel
    Solution runtime;                  ///< null while the runtime set is not known
};

/// @param preferences  of earlier runs
[[nodiscard]] resolve::Problem
runtime_problem(const BootstrapRequest& request, const Preferences& preferences);

/// Prefers what the runtime set has, then `preferences`. What in `scope.dynamic` is no requirement
/// is left out: callers have refused it.
[[nodiscard]] resolve::Problem build_problem(
    const BootstrapRequest& request, const BuildScope& scope, const Preferences& preferences
);

}  // namespace wheelforge::engine
