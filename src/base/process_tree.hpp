// SPDX-License-Identifier: Apache-2.0
// Signals to a process and all it has started.
#pragma once

#include <sys/types.h>

namespace wheelforge {

/// Signals the process group led by `leader` and every process below it that still hangs on a
/// living parent, also where that moved to a group or session of its own. A daemon that left both
/// is out of reach of this; a sandbox's PID namespace ends those too.
void kill_tree(pid_t leader, int signal);

}  // namespace wheelforge
