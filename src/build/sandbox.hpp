// SPDX-License-Identifier: Apache-2.0
// Where a build runs: bubblewrap with a fixed build path, private /tmp and HOME, no network,
// nothing else writable - or, where the kernel refuses, a lesser level that is said plainly.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace wheelforge::build {

enum class SandboxLevel {
    none,       ///< own process group, allow-listed environment, private HOME and TMPDIR
    namespaces  ///< bubblewrap: mounts, pid, ipc, uts, net
};

/// The class of sandbox, part of every build key: "bwrap-1" or "none-1".
[[nodiscard]] std::string sandbox_class(SandboxLevel level);

struct SandboxProbe {
    SandboxLevel level = SandboxLevel::none;
    bool overlay = false;    ///< overlayfs can be mounted in a user namespace
    std::string reason;      ///< why not better, in plain words; empty when it is the best
};
/// Tries it out (a few ms). WHEELFORGE_SANDBOX=none|bwrap forces a level (bwrap: or fails).
[[nodiscard]] SandboxProbe probe_sandbox();

/// Fixed paths a build sees at level `namespaces`.
struct BuildPaths {
    std::filesystem::path source;  ///< the unpacked tree     (/build/src)
    std::filesystem::path environment;  ///< venv             (/build/env)
    std::filesystem::path home;    ///< private, empty        (/build/home)
    std::filesystem::path output;  ///< where wheels go       (/build/out)
    std::filesystem::path runner;  ///< hook_runner.py        (/build/runner)
    std::filesystem::path tmp;     ///< (/tmp)
};
/// @param scratch  the host folder of this build; at level none the paths lie inside it
[[nodiscard]] BuildPaths build_paths(SandboxLevel level, const std::filesystem::path& scratch);

/// Host folders every sandbox sees read-only (system folders that exist, plus `extra`: the
/// interpreter's prefix, toolchain roots).
[[nodiscard]] std::vector<Mount> system_mounts(const std::vector<std::filesystem::path>& extra);

/// Rewrites a Launch with mounts into one that runs bubblewrap. At level none mounts must be empty.
[[nodiscard]] Launch enclose(Launch launch, const SandboxProbe& probe, const std::filesystem::path& scratch);

/// The environment a build starts from: PATH, LANG, TERM=dumb, HOME, TMPDIR, PYTHONHASHSEED,
/// GIT_* guards ... and of the caller's variables only those in `passed` (NAME or NAME=VALUE).
/// `dropped` receives toolchain-like variables that were set but do not reach the build.
[[nodiscard]] Environment base_environment(
    const Environment& callers, const BuildPaths& paths, const std::vector<std::string>& passed,
    std::vector<std::string>* dropped = nullptr
);

}  // namespace wheelforge::build
