// SPDX-License-Identifier: Apache-2.0
#include "build/sandbox.hpp"

#include <algorithm>
#include <array>
#include <sys/resource.h>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "build/left_behind.hpp"
#include "build/overlay.hpp"

namespace wheelforge::build {
namespace {

constexpr const char* sandbox_id = "1000";  // user and group inside, whoever runs us

/// Folders of the system, and from /etc only what compilers, the loader and certificates need:
/// nothing there may tell a build about this host or hold a secret (pip.conf, netrc ...).
constexpr std::array system_paths = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/etc/OpenCL",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/hosts",
    "/etc/java",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/perl",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/protocols",
    "/etc/redhat-release",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
};

/// The same person on every host, so that no build learns who runs it.
constexpr std::string_view passwd_text = "builder:x:1000:1000:builder:/build/home:/bin/sh\n"
                                         "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
constexpr std::string_view group_text = "builder:x:1000:\nnogroup:x:65534:\n";

bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [folder_end, rest] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return folder_end == folder.end();
}

bool covered(const std::vector<Mount>& mounts, const fs::path& path) {
    return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        return is_below(path, mount.inside) && !fs::is_symlink(mount.from.front());
    });
}

void show(std::vector<Mount>& mounts, const fs::path& from, const fs::path& inside) {
    if (!covered(mounts, inside)) {
        mounts.push_back({Mount::Kind::read_only, {from}, inside});
    }
}

/// A folder named through links is shown where it really is, and under the given name too unless
/// the link itself is visible.
void show_extra(std::vector<Mount>& mounts, const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error) {
        show(mounts, real, real);
        show(mounts, real, path.lexically_normal());
    }
}

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

std::vector<Mount> private_mounts(const fs::path& scratch) {
    const BuildPaths paths = build_paths(SandboxLevel::namespaces, scratch);
    const fs::path etc = scratch / "etc";
    for (const auto& folder : {scratch / "home", scratch / "tmp", etc}) {
        make_directories(folder);
    }
    for (const auto& [name, text] : {std::pair("passwd", passwd_text), {"group", group_text}}) {
        if (!fs::exists(etc / name)) {
            write_file(etc / name, text);
        }
    }
    return {
        {Mount::Kind::read_write, {scratch / "home"}, paths.home},
        {Mount::Kind::read_write, {scratch / "tmp"}, paths.tmp},
        {Mount::Kind::read_only, {etc / "passwd"}, "/etc/passwd"},
        {Mount::Kind::read_only, {etc / "group"}, "/etc/group"},
    };
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

std::vector<std::function<int()>> steps_of(const Launch& launch, const OverlayMounts& overlays) {
    std::vector<std::function<int()>> steps;
    if (!overlays.empty()) {
        steps.push_back(overlays.entry());
    }
    if (launch.before_exec) {
        steps.push_back(launch.before_exec);
    }
    return steps;
}

void require_mounts_in_place(const Launch& launch) {
    for (const Mount& mount : launch.mounts) {
        if (mount.from.size() != 1 || mount.from.front() != mount.inside) {
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

std::vector<Mount> system_mounts(const std::vector<fs::path>& extra) {
    std::vector<Mount> mounts;
    for (const fs::path path : system_paths) {
        if (fs::exists(path)) {  // follows links: a dangling one is of no use
            mounts.push_back({Mount::Kind::read_only, {path}, path});
        }
    }
    for (const fs::path& path : extra) {
        show_extra(mounts, path);
    }
    return mounts;
}

std::vector<Mount> build_mounts(
    const SandboxProbe& probe, const fs::path& scratch, const std::vector<fs::path>& extra
) {
    std::vector<Mount> mounts;
    if (probe.level == SandboxLevel::namespaces) {
        mounts = system_mounts(extra);
    }
    const BuildPaths inside = build_paths(probe.level, scratch);
    const BuildPaths outside = build_paths(SandboxLevel::none, scratch);
    make_directories(outside.source);
    make_directories(outside.output);
    mounts.push_back({Mount::Kind::read_write, {outside.source}, inside.source});
    mounts.push_back({Mount::Kind::read_write, {outside.output}, inside.output});
    return mounts;
}

Launch enclose(Launch launch, const SandboxProbe& probe, const fs::path& scratch) {
    if (probe.level == SandboxLevel::none) {
        return enclose_nothing(std::move(launch), scratch);
    }
    make_directories(scratch);
    OverlayMounts overlays(TempDir(scratch, "layers-").release());
    std::vector<std::string> argv = isolation_arguments(launch);
    for (const Mount& mount : in_order(std::move(launch.mounts), private_mounts(scratch))) {
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
