// SPDX-License-Identifier: Apache-2.0
// What a sandbox shows of the host, and what it shows instead.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "build/private_mounts.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {
namespace {

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

/// Settings of interpreters are in folders with a version in their name (python3.12, java-21).
bool is_settings_of_interpreter(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("python3") || name.starts_with("java");
}

std::vector<fs::path> existing_system_paths() {
    std::vector<fs::path> paths;
    std::error_code error;
    for (const fs::path path : system_paths) {
        if (fs::exists(path, error)) {  // follows links: a dangling one is of no use
            paths.push_back(path);
        }
    }
    for (const auto& entry : fs::directory_iterator("/etc", error)) {
        if (is_settings_of_interpreter(entry.path()) && entry.exists(error)) {
            paths.push_back(entry.path());
        }
    }
    return paths;
}

/// The same person on every host, so that no build learns who runs it.
constexpr std::string_view passwd_text = "builder:x:1000:1000:builder:/build/home:/bin/sh\n"
                                         "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
constexpr std::string_view hosts_text = "127.0.0.1 localhost wheelforge\n::1 localhost\n";
constexpr std::string_view group_text = "builder:x:1000:\nnogroup:x:65534:\n";

bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [folder_end, rest] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return folder_end == folder.end();
}

bool covered(const std::vector<Mount>& mounts, const fs::path& path) {
    return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        return is_below(path, mount.inside) && mount.kind != Mount::Kind::link
               && !fs::is_symlink(mount.from.front());
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

/// The folder's entries instead of the folder itself.
void take_apart(std::vector<Mount>& mounts, const fs::path& folder) {
    const auto whole = std::find_if(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        return mount.inside == folder && mount.from == std::vector<fs::path>{folder};
    });
    std::error_code error;
    if (whole == mounts.end() || fs::is_symlink(folder, error)) {
        return;
    }
    mounts.erase(whole);
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        mounts.push_back({Mount::Kind::read_only, {entry.path()}, entry.path()});
    }
}

/// A mount needs a folder to go on, and a link a place where nothing is; what is shown is
/// read-only. So the folders of the host that lead to `path` are taken apart, from above.
void make_place(std::vector<Mount>& mounts, const fs::path& path) {
    fs::path folder;
    for (const fs::path& part : path.parent_path()) {
        folder /= part;
        take_apart(mounts, folder);
    }
}

/// Files of /etc that are ours instead of the host's.
std::vector<Mount> private_etc(const fs::path& folder, bool network) {
    std::vector<std::pair<std::string, std::string_view>> files = {
        {"passwd", passwd_text}, {"group", group_text}
    };
    if (!network) {
        files.emplace_back("hosts", hosts_text);
    }
    std::vector<Mount> mounts;
    for (const auto& [name, text] : files) {
        if (!fs::exists(folder / name)) {
            write_file(folder / name, text);
        }
        mounts.push_back({Mount::Kind::read_only, {folder / name}, "/etc/" + name});
    }
    return mounts;
}

/// The files behind their links, which point to places that a sandbox lacks.
std::vector<Mount> name_service() {
    std::vector<Mount> mounts;
    for (const fs::path path : {"/etc/hosts", "/etc/resolv.conf"}) {
        std::error_code error;
        if (const fs::path real = fs::canonical(path, error); !error) {
            mounts.push_back({Mount::Kind::read_only, {real}, path});
        }
    }
    return mounts;
}

}  // namespace

std::vector<Mount> private_mounts(const fs::path& scratch, bool network) {
    const BuildPaths paths = build_paths(SandboxLevel::namespaces, scratch);
    make_directories(scratch / "home");
    make_directories(scratch / "tmp");
    std::vector<Mount> mounts = private_etc(scratch / "etc", network);
    mounts.push_back({Mount::Kind::read_write, {scratch / "home"}, paths.home});
    mounts.push_back({Mount::Kind::read_write, {scratch / "tmp"}, paths.tmp});
    if (network) {
        for (Mount& mount : name_service()) {
            mounts.push_back(std::move(mount));
        }
    }
    return mounts;
}

std::vector<Mount> system_mounts(const std::vector<fs::path>& extra) {
    std::vector<Mount> mounts;
    for (const fs::path& path : existing_system_paths()) {
        mounts.push_back({Mount::Kind::read_only, {path}, path});
    }
    for (const fs::path& path : extra) {
        show_extra(mounts, path);
    }
    return mounts;
}

void show_folders(
    std::vector<Mount>& mounts, const std::vector<ShownFolder>& folders, SandboxLevel level
) {
    for (const auto& folder : folders) {
        if (folder.from == folder.inside) {
            show_extra(mounts, folder.from);
        } else if (level != SandboxLevel::none && !is_below(folder.from, folder.inside)) {
            std::error_code error;
            if (folder.is_link || !fs::is_directory(folder.inside, error)) {
                make_place(mounts, folder.inside);
            }
            std::erase_if(mounts, [&](const Mount& mount) {
                return is_below(mount.inside, folder.inside);
            });
            const auto kind = folder.is_link ? Mount::Kind::link : Mount::Kind::read_only;
            mounts.push_back({kind, {folder.from}, folder.inside});
        }
    }
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

}  // namespace wheelforge::build
