// SPDX-License-Identifier: Apache-2.0
// CUDA sources translated to HIP before a build, by a command that settings name (`hipify:`).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plugin/recipe.hpp"

namespace wheelforge::plugin {

/// Runs a command where the build runs: same tree, environment, variables and sandbox.
using RunInside = std::function<ProcessResult(const std::vector<std::string>& argv)>;

/// Runs the command until the tree stays as it is: twice, since a translation that changes what it
/// translated before gives another wheel each time. What it made or changed comes back, sorted.
/// Failures: "hipify-failed", "hipify-not-idempotent", and "hipify-without-effect" when it changed
/// nothing.
[[nodiscard]] std::variant<std::vector<TranslatedFile>, BuildFailure> hipify(
    const std::vector<std::string>& command,
    const std::filesystem::path& tree,
    const RunInside& run_inside
);

}  // namespace wheelforge::plugin
