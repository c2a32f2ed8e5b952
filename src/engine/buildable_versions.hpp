// SPDX-License-Identifier: Apache-2.0
// The way around versions whose build has no solution: other versions, found by the solver.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "engine/request.hpp"
#include "plugin/recipe.hpp"

namespace wheelforge::engine {

/// For each distribution a line that bounds it, so that everything of the request has a build
/// environment; none when no such set was found before `end`, or none that has the package.
/// Nothing is built; blocks.
[[nodiscard]] std::map<plugin::PackageId, std::string> bounds_that_build(
    const BootstrapRequest& request,
    const std::vector<plugin::PackageId>& unbuildable,
    std::chrono::steady_clock::time_point end
);

}  // namespace wheelforge::engine
