// SPDX-License-Identifier: Apache-2.0
// The other way to build a wheel, for projects that insist on it (`builder: pip`): pip, from the
// build environment, without isolation or index of its own.
#pragma once

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "build/hooks.hpp"

namespace wheelforge::build {

struct PipBuildRequest {
    Launch base;                   ///< env, mounts, cwd (the tree's build_dir), log
    std::filesystem::path python;  ///< inside; its environment holds pip
    std::filesystem::path output;  ///< inside
    std::map<std::string, std::vector<std::string>> config_settings;
    SandboxProbe sandbox;
    std::filesystem::path scratch;
};

/// Runs `pip wheel . --no-deps --no-build-isolation --no-index`. What it leaves in `output` is the
/// caller's to look at.
[[nodiscard]] HookResult<HookMeasure>
build_with_pip(const PipBuildRequest& request, std::stop_token stop = {});

}  // namespace wheelforge::build
