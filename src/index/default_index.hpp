// SPDX-License-Identifier: Apache-2.0
// What only a Python can tell: where its site configuration lies, and which index its pip uses
// when nobody configured one. No host stands in our code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/process.hpp"

namespace wheelforge::index {

struct PipOfInterpreter {
    std::filesystem::path prefix;  ///< sys.prefix
    std::string default_index;     ///< "" if the interpreter has no pip, nor a bundled one
};

/// nullopt if the program is not there or does not run.
[[nodiscard]] std::optional<PipOfInterpreter>
ask_interpreter(const std::filesystem::path& interpreter, const Environment& env);

}  // namespace wheelforge::index
