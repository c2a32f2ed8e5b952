// SPDX-License-Identifier: Apache-2.0
// What a build without a sandbox leaves running. A sandbox needs none of this: its PID namespace
// ends with it.
#pragma once

#include <string>

namespace wheelforge::build {

/// Kills the processes of this user that were started with exactly this line ("TMPDIR=/...") in
/// their environment. One that cleared its environment escapes.
void kill_left_behind(const std::string& environment_line);

}  // namespace wheelforge::build
