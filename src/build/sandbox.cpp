// SPDX-License-Identifier: Apache-2.0
#include "build/sandbox.hpp"

#include <algorithm>
#include <sys/resource.h>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "build/left_behind.hpp"
#include "build/overlay.hpp"
#include "build/private_mounts.hpp"
#include "build/supervisor.hpp"

namespace wheelforge::build {
namespace {

constexpr const char* sandbox_id = "1000";  // user and group inside, whoever runs us

fs::path bubblewrap() {
    const auto caller = current_environment();
    const auto path = caller.find("PATH");
    const auto found = find_program("bwrap", path == caller.end() ? "/usr/bin:/bin" : path->second);
    if (!found) {
        throw Error(ExitCode::usage, "sandbox-unavailable", "bubblewrap (bwrap) is not installed")
            .advise("apt-get install bubblewrap, or dnf install bubblewrap");
    }
    return *found;
}

/// Parents before children, whatever order they were given in; the caller's mount wins over ours
/// at the same place.
std::vector<Mount> in_order(std::vector<Mount> mounts, std::vector<Mount> ours) {
    for (Mount& mount : ours) {
        const bool taken = std::any_of(mounts.begin(), mounts.end(), [&](const Mount& other) {
            return other.inside == mount.inside;
        });
        if (!taken) {
            mounts.push_back(std::move(mount));
        }
    }
    std::stable_sort(mounts.begin(), mounts.end(), [](const Mount& a, const Mount& b) {
        return a.inside < b.inside;
    });
    return mounts;
}

void append(std::vector<std::string>& argv, std::initializer_list<std::string> arguments) {
    argv.insert(argv.end(), arguments.begin(), arguments.end());
}

void append_mount(std::vector<std::string>& argv, const Mount& mount, OverlayMounts& overlays) {
    const std::string inside = mount.inside.string();
    switch (mount.kind) {
    case Mount::Kind::tmpfs:
        return append(argv, {"--tmpfs", inside});
    case Mount::Kind::overlay:
        return append(argv, {"--bind", overlays.add(mount.from).string(), inside});
    case Mount::Kind::read_write:
        return append(argv, {"--bind", mount.from.front().string(), inside});
    case Mount::Kind::link:
        return append(argv, {"--symlink", mount.from.front().string(), inside});
    case Mount::Kind::read_only:
        break;
    }
    const fs::path& from = mount.from.front();
    if (from == mount.inside && fs::is_symlink(from)) {
        return append(argv, {"--symlink", fs::read_symlink(from).string(), inside});
    }
    append(argv, {"--ro-bind", from.string(), inside});
}

std::vector<std::string> isolation_arguments(const Launch& launch) {
    std::vector<std::string> argv;
    append(argv, {bubblewrap().string(), "--unshare-user", "--unshare-all"});
    if (launch.network) {
        append(argv, {"--share-net"});
    }
    append(argv, {"--uid", sandbox_id, "--gid", sandbox_id, "--cap-drop", "ALL"});
    append(argv, {"--die-with-parent", "--new-session", "--hostname", "wheelforge"});
    return argv;
}

/// The loader of bwrap itself must not follow what is meant for the build.
void move_loader_variables(Environment& env, std::vector<std::string>& argv) {
    for (auto variable = env.begin(); variable != env.end();) {
        if (variable->first.starts_with("LD_")) {
            append(argv, {"--setenv", variable->first, variable->second});
            variable = env.erase(variable);
        } else {
            ++variable;
        }
    }
}

/// Before the program starts: no core files (they would fill the build folder), then `steps`.
std::function<int()> prepared_start(std::vector<std::function<int()>> steps) {
    return [steps = std::move(steps)] {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        for (const auto& step : steps) {
            if (const int failure = step(); failure != 0) {
                return failure;
            }
        }
        return 0;
    };
}

/// The supervisor comes first: what it waits for has to be all of the build. At level namespaces
/// bubblewrap ends as soon as the program in it has, while the kernel still takes down the rest.
std::vector<std::function<int()>> steps_of(const Launch& launch, const OverlayMounts& overlays) {
    std::vector<std::function<int()>> steps = {supervise};
    if (!overlays.empty()) {
        steps.push_back(overlays.entry());
    }
    if (launch.before_exec) {
        steps.push_back(launch.before_exec);
    }
    return steps;
}

bool is_in_place(const Mount& mount) {
    std::error_code error;
    return mount.from.size() == 1
           && (mount.from.front() == mount.inside
               || fs::equivalent(mount.from.front(), mount.inside, error));
}

void require_mounts_in_place(const Launch& launch) {
    for (const Mount& mount : launch.mounts) {
        if (!is_in_place(mount)) {
            throw Error(
                ExitCode::bug,
                "sandbox-mount",
                "without a sandbox nothing can be mounted at " + mount.inside.string()
            );
        }
    }
}

Launch enclose_nothing(Launch launch, const fs::path& scratch) {
    require_mounts_in_place(launch);
    const BuildPaths paths = build_paths(SandboxLevel::none, scratch);
    make_directories(paths.home);
    make_directories(paths.tmp);
    launch.mounts.clear();
    launch.before_exec = prepared_start(steps_of(launch, OverlayMounts(scratch)));
    return launch;
}

}  // namespace

std::string sandbox_class(SandboxLevel level) {
    return level == SandboxLevel::namespaces ? "bwrap-1" : "none-1";
}

BuildPaths build_paths(SandboxLevel level, const fs::path& scratch) {
    const bool fixed = level == SandboxLevel::namespaces;
    const fs::path root = fixed ? fs::path("/build") : fs::absolute(scratch);
    return {
        root / "src",
        root / "env",
        root / "home",
        root / "out",
        root / "runner",
        fixed ? fs::path("/tmp") : root / "tmp",
    };
}

Launch enclose(Launch launch, const SandboxProbe& probe, const fs::path& scratch_folder) {
    if (probe.level == SandboxLevel::none) {
        return enclose_nothing(std::move(launch), scratch_folder);
    }
    const fs::path scratch = fs::absolute(scratch_folder);  // the child starts in another folder
    make_directories(scratch);
    OverlayMounts overlays(TempDir(scratch, "layers-").release());
    std::vector<std::string> argv = isolation_arguments(launch);
    for (const Mount& mount :
         in_order(std::move(launch.mounts), private_mounts(scratch, launch.network))) {
        append_mount(argv, mount, overlays);
    }
    append(argv, {"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/"});
    append(argv, {"--chdir", launch.cwd.empty() ? "/" : launch.cwd.string()});
    move_loader_variables(launch.env, argv);
    append(argv, {"--"});
    argv.insert(argv.end(), launch.argv.begin(), launch.argv.end());
    launch.argv = std::move(argv);
    launch.cwd = "/";
    launch.mounts.clear();
    launch.before_exec = prepared_start(steps_of(launch, overlays));
    return launch;
}

ProcessResult run_enclosed(
    Launch launch, const SandboxProbe& probe, const fs::path& scratch, std::stop_token stop
) {
    ProcessResult result = run(enclose(std::move(launch), probe, scratch), std::move(stop));
    if (probe.level == SandboxLevel::none) {
        kill_left_behind("TMPDIR=" + build_paths(probe.level, scratch).tmp.string());
    }
    return result;
}

}  // namespace wheelforge::build
