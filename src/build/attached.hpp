// SPDX-License-Identifier: Apache-2.0
// A program in a build's sandbox that talks with the user instead of a log.
#pragma once

#include <filesystem>
#include <stop_token>

#include "base/process.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {

/// Runs `launch` (not yet enclosed) with our standard streams. Where stdin is a terminal the
/// program gets one of its own and we pass on what is typed and shown: what runs inside never holds
/// our terminal, into which it could type. @returns the exit code, 128+n for a signal
[[nodiscard]] int run_attached(
    Launch launch,
    const SandboxProbe& probe,
    const std::filesystem::path& scratch,
    std::stop_token stop
);

}  // namespace wheelforge::build
