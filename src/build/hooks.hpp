// SPDX-License-Identifier: Apache-2.0
// The PEP 517 frontend: one Python process imports the backend and forks for each hook; we speak
// versioned JSON lines with it over a pipe of its own (never stdout).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "base/process.hpp"
#include "build/sandbox.hpp"
#include "pep/pyproject.hpp"

namespace wheelforge::build {

struct HookFailure {
    std::string hook;       ///< "get_requires_for_build_wheel"
    std::string exception;  ///< "ModuleNotFoundError: No module named 'numpy'", "" if it died
    int exit_code = 0;      ///< of the hook's process; 128+n for a signal
    bool backend_missing = false;  ///< the backend itself could not be imported
};
template <typename T>
using HookResult = tl::expected<T, HookFailure>;

struct HookMeasure {
    double wall_seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t peak_rss_bytes = 0;
};

struct HookSessionRequest {
    Launch base;                   ///< env, mounts, cwd (the tree's build_dir), log, network=false
    std::filesystem::path python;  ///< inside: <environment>/bin/python
    std::filesystem::path runner;  ///< inside: paths.runner / "hook_runner.py"
    pep::BuildSystem build_system;
    std::map<std::string, std::vector<std::string>> config_settings;
    SandboxProbe sandbox;
    std::filesystem::path scratch;
};

/// Writes the runner into `scratch` and says where it is seen: paths.runner / "hook_runner.py".
[[nodiscard]] Mount provide_runner(const BuildPaths& paths, const std::filesystem::path& scratch);

/// A running hook process. The constructor imports the backend; where that fails, every hook
/// answers with the same failure. What the process leaves running ends with it. Not thread-safe;
/// used by the worker that owns the build.
class HookSession {
public:
    explicit HookSession(HookSessionRequest request, std::stop_token stop = {});
    ~HookSession();
    /// Extra build requirements; an absent hook answers none (PEP 517).
    [[nodiscard]] HookResult<std::vector<std::string>> get_requires_for_build_wheel();
    /// Text of METADATA; nullopt when the backend has no such hook (build_wheel is then needed).
    [[nodiscard]] HookResult<std::optional<std::string>>
    prepare_metadata_for_build_wheel(const std::filesystem::path& inside_folder);
    /// Base name of the wheel in `inside_folder`, as the backend returned it (unchecked).
    [[nodiscard]] HookResult<std::string> build_wheel(const std::filesystem::path& inside_folder);
    [[nodiscard]] HookMeasure measure() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wheelforge::build
