// SPDX-License-Identifier: Apache-2.0
// Programs that sources to be built will probably want, judged by what lies in them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "engine/job.hpp"
#include "engine/report.hpp"

namespace wheelforge::engine {

/// Of one source, before it is built.
[[nodiscard]] std::vector<MissingTool> tools_missing_for(
    const PreparedSource& source, const build::Interpreter& interpreter, const std::string& path
);

/// Of all that a plan would build.
[[nodiscard]] std::vector<MissingTool> missing_tools(
    const std::map<plugin::PackageId, Job>& jobs,
    const build::Interpreter& interpreter,
    const std::string& path
);

}  // namespace wheelforge::engine
