// SPDX-License-Identifier: Apache-2.0
// Programs that sources to be built will probably want, judged by what lies in them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "engine/job.hpp"
#include "engine/report.hpp"

namespace wheelforge::engine {

/// Whether the source of a project, all of whose wheels are for an ABI of an interpreter, has what
/// does not compile without Python.h. Bindings in Rust bring their own declarations.
[[nodiscard]] bool compiles_against_python(const PreparedSource& source);

/// Of one source, before it is built.
[[nodiscard]] std::vector<MissingTool> tools_missing_for(
    const PreparedSource& source, const build::Interpreter& interpreter, const std::string& path
);

/// Of all that a plan would build, but for those that `pure` says need no compiler.
[[nodiscard]] std::vector<MissingTool> missing_tools(
    const std::map<plugin::PackageId, Job>& jobs,
    const build::Interpreter& interpreter,
    const std::string& path,
    const std::function<bool(const plugin::PackageId&)>& pure
);

}  // namespace wheelforge::engine
