// SPDX-License-Identifier: Apache-2.0
// Running other programs. argv is a vector, never a shell; the environment is exactly what is
// given; every child has its own process group, inherits only the descriptors named, and dies
// with us (PR_SET_PDEATHSIG); a timeout or cancellation kills the whole tree.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelforge {

using Environment = std::map<std::string, std::string>;

/// A folder or file of the host seen by the child at `inside`.
struct Mount {
    enum class Kind { read_only, read_write, overlay, tmpfs, link };
    Kind kind = Kind::read_only;
    /// The host path; for overlay the lower layers, uppermost first (a private upper layer is
    /// thrown away afterwards); for link the path inside that it leads to; unused for tmpfs.
    std::vector<std::filesystem::path> from;
    std::filesystem::path inside;
};

/// One value that says all there is to say about starting a program. Sandbox back ends
/// (build/sandbox.hpp) turn a Launch with mounts into one without.
struct Launch {
    std::vector<std::string> argv;  ///< argv[0] is looked up on PATH of `env` if it has no slash
    Environment env;
    std::filesystem::path cwd;
    std::vector<Mount> mounts;                     ///< empty: the host's file system as it is
    bool network = false;                          ///< only meaningful to a sandbox
    std::vector<std::pair<int, int>> descriptors;  ///< {ours, the child's}
    std::filesystem::path log;  ///< stdout+stderr go there (appended); empty: captured
    std::optional<std::chrono::seconds> timeout;
    std::uint64_t capture_limit = 4U << 20U;  ///< first bytes of stdout and of stderr kept
    std::string standard_input;
    /// Runs in the child between fork and exec (namespaces, overlay mounts). Must be
    /// async-signal-safe; returns 0 or an errno.
    std::function<int()> before_exec;
    /// If set, called once in the parent with the child's pid right after it started.
    std::function<void(int)> started;
};

struct ProcessResult {
    int exit_code = 0;  ///< 128+signal when killed by a signal
    int signal = 0;
    bool timed_out = false;
    bool cancelled = false;
    std::string out;  ///< when captured, at most capture_limit bytes
    std::string err;
    double wall_seconds = 0;
    double cpu_seconds = 0;  ///< user + system of the tree that was waited for
    /// Of the largest process of the tree; never less than ours was when the child was forked.
    std::uint64_t peak_rss_bytes = 0;
};

/// Runs to the end. Throws Error "program-not-found" (usage) or "cannot-start" (surroundings);
/// a non-zero exit is a result, not an Error. `stop` kills the tree (SIGTERM, 5 s, SIGKILL); if it
/// was requested before, nothing is started. What is left of the group after the end is killed.
[[nodiscard]] ProcessResult run(const Launch& launch, std::stop_token stop = {});

/// Absolute path of a program on the given PATH value; nullopt if absent.
[[nodiscard]] std::optional<std::filesystem::path>
find_program(std::string_view name, std::string_view path_variable);
/// The caller's environment as a map.
[[nodiscard]] Environment current_environment();

}  // namespace wheelforge
