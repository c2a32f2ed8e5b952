// SPDX-License-Identifier: Apache-2.0
// Options may stand before or after the command: `wheelforge --variant rocm bootstrap`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wheelforge::cli {

/// Moves the command to the front. Which words are values of options is known from the commands
/// themselves. Without a command the arguments come back as they are.
[[nodiscard]] std::vector<std::string>
command_first(const CLI::App& app, std::vector<std::string> arguments);

}  // namespace wheelforge::cli
