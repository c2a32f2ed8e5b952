// SPDX-License-Identifier: Apache-2.0
// Where a build runs: bubblewrap with a fixed build path, private /tmp and HOME, no network,
// nothing else writable - or, where the kernel refuses, a lesser level that is said plainly.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
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
    bool overlay = false;  ///< overlayfs can be mounted in a user namespace
    std::string reason;    ///< why not better, in plain words; empty when it is the best
};
/// Tries it out (some 10 ms). WHEELFORGE_SANDBOX=none|bwrap forces a level; where bwrap is forced
/// and cannot be had: Error{usage} "sandbox-unavailable".
/// @param near  a folder on the file system where builds will have their scratch folders, since
///              not every file system can carry an overlay; "" for the folder of temporary files
[[nodiscard]] SandboxProbe probe_sandbox(const std::filesystem::path& near = {});

/// Fixed paths a build sees at level `namespaces`.
struct BuildPaths {
    std::filesystem::path source;       ///< the unpacked tree     (/build/src)
    std::filesystem::path environment;  ///< venv             (/build/env)
    std::filesystem::path home;         ///< private, empty        (/build/home)
    std::filesystem::path output;       ///< where wheels go       (/build/out)
    std::filesystem::path runner;       ///< holds hook_runner.py  (/build/runner)
    std::filesystem::path tmp;          ///< private               (/tmp)
};
/// @param scratch  the host folder of this build; at level none the paths lie inside it
[[nodiscard]] BuildPaths build_paths(SandboxLevel level, const std::filesystem::path& scratch);

/// Host folders every sandbox sees read-only (system folders that exist, plus `extra`: the
/// interpreter's prefix, toolchain roots).
[[nodiscard]] std::vector<Mount> system_mounts(const std::vector<std::filesystem::path>& extra);

/// A folder of the host and the path under which builds look for it.
struct ShownFolder {
    std::filesystem::path from;
    std::filesystem::path inside;
    bool is_link = false;  ///< `from` is a path of the sandbox, not of the host
};
/// Adds folders, read-only, to what system_mounts gave. Where one has to appear below a folder of
/// the system that does not have it, that folder is shown piece by piece. A path that holds the
/// folder already stays as it is (/opt/rocm of /opt/rocm/core-7.2). At level none only what is
/// where it has to be can be shown: the others are left out.
void show_folders(
    std::vector<Mount>& mounts, const std::vector<ShownFolder>& folders, SandboxLevel level
);

/// What every build sees: system_mounts(extra), and of `scratch` the folders src and out (made if
/// need be) read-write as build_paths says. To be added: the environment and the hook runner.
[[nodiscard]] std::vector<Mount> build_mounts(
    const SandboxProbe& probe,
    const std::filesystem::path& scratch,
    const std::vector<std::filesystem::path>& extra
);

/// Rewrites a Launch with mounts into one that runs bubblewrap. A private home and /tmp (folders
/// home and tmp of `scratch`) are added; everything that no mount shows is absent, and what is
/// not mounted read-write cannot be written. At level none every mount must show a path where it
/// is anyway (from == inside), as those for build_paths(none) do.
/// May be called again with the same scratch folder; each launch has upper layers of its own.
[[nodiscard]] Launch
enclose(Launch launch, const SandboxProbe& probe, const std::filesystem::path& scratch);

/// Runs an enclosed launch to the end, and ends what it leaves running: by its PID namespace, at
/// level none by looking for processes with this build's TMPDIR.
[[nodiscard]] ProcessResult run_enclosed(
    Launch launch,
    const SandboxProbe& probe,
    const std::filesystem::path& scratch,
    std::stop_token stop = {}
);

/// The environment a build starts from: PATH, LANG, TERM=dumb, HOME, TMPDIR, PYTHONHASHSEED,
/// GIT_* guards ... and of the caller's variables only those in `passed` (NAME or NAME=VALUE).
/// `dropped` receives toolchain-like variables that were set but do not reach the build.
[[nodiscard]] Environment base_environment(
    const Environment& callers,
    const BuildPaths& paths,
    const std::vector<std::string>& passed,
    std::vector<std::string>* dropped = nullptr
);

/// Folders that PATH names right after the environment's own bin (a compiler's real folder).
void extend_path(Environment& environment, const std::vector<std::filesystem::path>& folders);

/// Variables that steer compilers and build systems: CC, *FLAGS, CUDA_*, *ARCH* ... The one table.
[[nodiscard]] bool is_toolchain_variable(std::string_view name) noexcept;

}  // namespace wheelforge::build
