// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {
namespace {

/// Names as shell patterns with '*' only at the ends.
constexpr std::array toolchain_patterns = {
    "AR",           "AS",          "CC",           "CXX",        "CPP",
    "CUDACXX",      "CUDAHOSTCXX", "F77",          "FC",         "HIPCXX",
    "LD",           "LDSHARED",    "NM",           "NVCC",       "OBJCOPY",
    "RANLIB",       "STRIP",       "*FLAGS",       "*FLAGS_*",   "*ARCH*",
    "BLAS*",        "LAPACK*",     "CCACHE_*",     "CMAKE_*",    "CUDA_*",
    "CUDNN_*",      "CUTLASS_*",   "DISTUTILS_*",  "GPU_*",      "HIP*",
    "HSA_*",        "LD_*",        "LIBRARY_PATH", "CPATH",      "*_INCLUDE_PATH",
    "MAX_JOBS",     "MKL*",        "MAKE*",        "MESON*",     "NCCL_*",
    "NINJA*",       "NPY_*",       "NVCC_*",       "NVIDIA_*",   "PKG_CONFIG*",
    "PYTORCH_*",    "ROCM_*",      "RUST*",        "CARGO_*",    "SCCACHE_*",
    "SETUPTOOLS_*", "SKBUILD*",    "TORCH_*",      "USE_*",      "VLLM_*",
    "XLA_*",        "HABANA*",     "TPU_*",        "PYTHONPATH", "PYTHONHOME",
};

bool matches(std::string_view pattern, std::string_view name) {
    const bool open_start = pattern.starts_with('*');
    const bool open_end = pattern.ends_with('*');
    const auto core = pattern.substr(open_start, pattern.size() - open_start - open_end);
    if (open_start && open_end) {
        return name.find(core) != std::string_view::npos;
    }
    if (open_start) {
        return name.ends_with(core);
    }
    return open_end ? name.starts_with(core) : name == core;
}

/// git looks no further up than the tree, obeys no repository hidden inside it, and asks nobody.
void add_git_guards(Environment& environment, const BuildPaths& paths) {
    const std::array<std::pair<std::string, std::string>, 4> settings = {{
        {"safe.bareRepository", "explicit"},
        {"safe.directory", paths.source.string()},
        {"core.fsmonitor", "false"},
        {"core.hooksPath", "/dev/null"},
    }};
    for (std::size_t i = 0; i < settings.size(); ++i) {
        environment["GIT_CONFIG_KEY_" + std::to_string(i)] = settings[i].first;
        environment["GIT_CONFIG_VALUE_" + std::to_string(i)] = settings[i].second;
    }
    environment["GIT_CONFIG_COUNT"] = std::to_string(settings.size());
    environment["GIT_CONFIG_NOSYSTEM"] = "1";
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
    environment["GIT_CEILING_DIRECTORIES"] = paths.source.parent_path().string();
    environment["GIT_TERMINAL_PROMPT"] = "0";
}

Environment fixed_environment(const BuildPaths& paths) {
    Environment environment = {
        {"PATH",
         (paths.environment / "bin").string() + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"},
        {"VIRTUAL_ENV", paths.environment.string()},
        {"HOME", paths.home.string()},
        {"TMPDIR", paths.tmp.string()},
        {"USER", "builder"},
        {"LOGNAME", "builder"},
        {"SHELL", "/bin/sh"},
        {"LANG", "C.UTF-8"},
        {"LC_ALL", "C.UTF-8"},
        {"TERM", "dumb"},
        {"TZ", "UTC"},
        {"PYTHONHASHSEED", "0"},
        {"PYTHONNOUSERSITE", "1"},
        {"PIP_NO_INDEX", "1"},
        {"PIP_DISABLE_PIP_VERSION_CHECK", "1"},
        {"PIP_CONFIG_FILE", "/dev/null"},
        {"CARGO_NET_OFFLINE", "true"},
    };
    add_git_guards(environment, paths);
    return environment;
}

/// NAME or NAME=VALUE into the environment; NAME alone takes the caller's value, if there is one.
void pass(Environment& environment, const Environment& callers, const std::string& assignment) {
    const auto equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    if (name.empty() || assignment.find('\0') != std::string::npos) {
        throw Error(
            ExitCode::usage,
            "bad-environment-variable",
            "'" + printable(assignment) + "' is not NAME or NAME=VALUE"
        );
    }
    if (equals != std::string::npos) {
        environment[name] = assignment.substr(equals + 1);
    } else if (const auto callers_own = callers.find(name); callers_own != callers.end()) {
        environment[name] = callers_own->second;
    }
}

}  // namespace

bool is_toolchain_variable(std::string_view name) noexcept {
    return std::any_of(
        toolchain_patterns.begin(),
        toolchain_patterns.end(),
        [name](std::string_view pattern) { return matches(pattern, name); }
    );
}

Environment base_environment(
    const Environment& callers,
    const BuildPaths& paths,
    const std::vector<std::string>& passed,
    std::vector<std::string>* dropped
) {
    Environment environment = fixed_environment(paths);
    for (const std::string& assignment : passed) {
        pass(environment, callers, assignment);
    }
    if (dropped != nullptr) {
        for (const auto& [name, value] : callers) {
            if (is_toolchain_variable(name) && !environment.contains(name)) {
                dropped->push_back(name);
            }
        }
    }
    return environment;
}

void extend_path(Environment& environment, const std::vector<std::filesystem::path>& folders) {
    std::string& path = environment["PATH"];
    const auto first_end = std::min(path.find(':'), path.size());
    std::string added;
    for (const auto& folder : folders) {
        added += ':' + folder.string();
    }
    path.insert(first_end, path.empty() ? added.substr(added.empty() ? 0 : 1) : added);
}

}  // namespace wheelforge::build
