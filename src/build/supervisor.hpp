// SPDX-License-Identifier: Apache-2.0
// A process between us and a build, to which everything the build abandons comes back, so that no
// daemon outlives it, however it hides.
#pragma once

namespace wheelforge::build {

/// For Launch::before_exec, in the child: forks once more and returns 0 in the new process, which
/// becomes the program. The old one stays, ends as the program ends, and before that kills all that
/// is left below it. Async-signal-safe; returns an errno where it cannot be done.
[[nodiscard]] int supervise() noexcept;

}  // namespace wheelforge::build
