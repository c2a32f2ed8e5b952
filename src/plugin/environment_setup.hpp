// SPDX-License-Identifier: Apache-2.0
// What a variant's `setup:` does to a build's environment: `rocm-sdk init`, for example, unpacks
// and rewrites parts of site-packages. It happens in a private copy, once for the same environment
// and commands; the cached trees of wheels stay what they were.
#pragma once

#include "plugin/hipify.hpp"

namespace wheelforge::plugin {

struct SetupRequest {
    const std::vector<std::vector<std::string>>& commands;
    std::filesystem::path trees;  ///< of the store; set-up environments are kept beside the others
    std::string place;            ///< what else the outcome depends on: class of sandbox, toolchain
};
/// Runs with the environment mounted as given.
using RunWith = std::function<ProcessResult(const Mount&, const std::vector<std::string>& argv)>;

/// The environment after those commands whose program is in its bin folder; without any, as it was.
/// One that is a private copy already is set up where it is. Throws Error{build_failed}
/// "setup-failed" naming the command.
[[nodiscard]] Mount
set_up(const Mount& environment, const SetupRequest& request, const RunWith& run_with);

}  // namespace wheelforge::plugin
