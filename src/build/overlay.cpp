// SPDX-License-Identifier: Apache-2.0
#include "build/overlay.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

namespace wheelforge::build {
namespace {

/// Everything below runs in the forked child: plain system calls, no allocation.
int write_whole(const char* path, const std::string& text) {
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    const ssize_t written = ::write(file, text.data(), text.size());
    const int failure = written < 0 ? errno : 0;
    ::close(file);
    return failure;
}

int enter_namespaces(const std::string& uid_map, const std::string& gid_map) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
        return errno;
    }
    // Entering a user namespace may clear this.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (const int failure = write_whole("/proc/self/setgroups", "deny"); failure != 0) {
        return failure;
    }
    if (const int failure = write_whole("/proc/self/uid_map", uid_map); failure != 0) {
        return failure;
    }
    if (const int failure = write_whole("/proc/self/gid_map", gid_map); failure != 0) {
        return failure;
    }
    return ::mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 ? 0 : errno;
}

/// The option string of a mount must fit a page, so layers go by short relative links. Nothing
/// of the private layer is kept, hence `volatile`: no sync of the whole file system at the end.
std::string mount_options(std::size_t layers) {
    std::string options = "lowerdir=0";
    for (std::size_t i = 1; i < layers; ++i) {
        options += ':' + std::to_string(i);
    }
    return options + ",upperdir=upper,workdir=work,userxattr,volatile";
}

void link_layer(const std::filesystem::path& layer, const std::filesystem::path& link) {
    std::error_code error;
    std::filesystem::create_directory_symlink(layer, link, error);
    if (error) {
        throw file_error(FileAction::write, link.string(), error.value());
    }
}

}  // namespace

struct OverlayMounts::Prepared {
    struct Entry {
        std::string folder;
        std::string options;
    };
    std::filesystem::path folder;
    std::string uid_map;
    std::string gid_map;
    std::vector<Entry> entries;

    int enter() const {
        if (const int failure = enter_namespaces(uid_map, gid_map); failure != 0) {
            return failure;
        }
        for (const Entry& entry : entries) {
            if (::chdir(entry.folder.c_str()) != 0
                || ::mount("overlay", "merged", "overlay", MS_NODEV, entry.options.c_str()) != 0) {
                return errno;
            }
        }
        return ::chdir("/") == 0 ? 0 : errno;
    }
};

OverlayMounts::OverlayMounts(std::filesystem::path folder)
    : prepared_(std::make_shared<Prepared>()) {
    prepared_->folder = std::move(folder);
    prepared_->uid_map = "0 " + std::to_string(::geteuid()) + " 1";
    prepared_->gid_map = "0 " + std::to_string(::getegid()) + " 1";
}

std::filesystem::path OverlayMounts::add(const std::vector<std::filesystem::path>& layers) {
    if (layers.empty() || layers.size() > max_layers) {
        throw Error(
            ExitCode::bug,
            "overlay-layers",
            "an overlay of " + std::to_string(layers.size()) + " layers cannot be mounted"
        );
    }
    const auto folder = prepared_->folder / std::to_string(prepared_->entries.size());
    for (const char* name : {"upper", "work", "merged"}) {
        make_directories(folder / name);
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        link_layer(std::filesystem::absolute(layers[i]), folder / std::to_string(i));
    }
    prepared_->entries.push_back({folder.string(), mount_options(layers.size())});
    return folder / "merged";
}

bool OverlayMounts::empty() const noexcept {
    return prepared_->entries.empty();
}

std::function<int()> OverlayMounts::entry() const {
    return [prepared = prepared_] { return prepared->enter(); };
}

}  // namespace wheelforge::build
