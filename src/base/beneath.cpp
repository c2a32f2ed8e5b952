// SPDX-License-Identifier: Apache-2.0
#include "base/beneath.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/archive_rules.hpp"

namespace wheelforge {
namespace {

constexpr int folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

Error failed(Beneath::Parts path) {
    const int number = errno;
    const std::string name = join_parts(path);
    switch (number) {
    case ELOOP:
    case EXDEV:
        return member_refused("archive-link", name, "a path that leads through a link");
    case ENOTDIR:
        return member_refused("archive-link", name, "a path that leads through a file or a link");
    case EEXIST:
        return member_refused("archive-duplicate", name, "a name that is taken");
    case ENAMETOOLONG:
        return member_refused("archive-name", name, "a name that the file system cannot hold");
    default:
        return file_error(FileAction::write, name, number);
    }
}

}  // namespace

Beneath::Beneath(const std::filesystem::path& folder, Resolve resolve)
    : root_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), resolve_(resolve) {
    if (!root_.valid()) {
        throw file_error(FileAction::write, folder.native(), errno);
    }
}

Descriptor Beneath::open_by_kernel(const std::string& path) const {
    struct open_how how = {};
    how.flags = static_cast<std::uint64_t>(folder_flags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    const long number = ::syscall(SYS_openat2, root_.get(), path.c_str(), &how, sizeof how);
    return Descriptor(static_cast<int>(number));
}

Descriptor Beneath::walk(Parts path) {
    Descriptor folder(::fcntl(root_.get(), F_DUPFD_CLOEXEC, 0));
    for (const std::string& part : path) {
        Descriptor child(::openat(folder.get(), part.c_str(), folder_flags));
        if (!child.valid() && errno == ENOENT) {
            if (::mkdirat(folder.get(), part.c_str(), 0755) != 0
                || ::fchmodat(folder.get(), part.c_str(), 0755, 0) != 0) {
                throw failed(path);
            }
            ++folders_made_;
            child = Descriptor(::openat(folder.get(), part.c_str(), folder_flags));
        }
        if (!child.valid()) {
            throw failed(path);
        }
        folder = std::move(child);
    }
    return folder;
}

Descriptor Beneath::open_folder(Parts path) {
    if (resolve_ == Resolve::walk || path.empty()) {
        return walk(path);
    }
    Descriptor folder = open_by_kernel(join_parts(path));
    if (folder.valid()) {
        return folder;
    }
    if (errno == ENOSYS || errno == EPERM) {
        resolve_ = Resolve::walk;
    } else if (errno != ENOENT) {
        throw failed(path);
    }
    return walk(path);
}

const Descriptor& Beneath::parent_of(Parts path) {
    const Parts parent = path.first(path.size() - 1);
    if (!cached_.valid()
        || !std::equal(parent.begin(), parent.end(), cached_path_.begin(), cached_path_.end())) {
        cached_ = open_folder(parent);
        cached_path_.assign(parent.begin(), parent.end());
    }
    return cached_;
}

void Beneath::make_folder(Parts path) {
    (void)open_folder(path);
}

Descriptor Beneath::create_file(Parts path, bool executable) {
    const ::mode_t mode = executable ? 0755 : 0644;
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    Descriptor file(::openat(parent_of(path).get(), path.back().c_str(), flags, mode));
    if (!file.valid() || ::fchmod(file.get(), mode) != 0) {
        throw failed(path);
    }
    return file;
}

void Beneath::make_symlink(Parts path, const std::string& target) {
    if (::symlinkat(target.c_str(), parent_of(path).get(), path.back().c_str()) != 0) {
        throw failed(path);
    }
}

void Beneath::make_hard_link(Parts existing, Parts path) {
    const Descriptor source = open_folder(existing.first(existing.size() - 1));
    struct stat status = {};
    if (::fstatat(source.get(), existing.back().c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        throw failed(path);
    }
    if (!S_ISREG(status.st_mode)) {
        throw member_refused(
            "archive-link", join_parts(path), "a hard link to something else than a file"
        );
    }
    const Descriptor& parent = parent_of(path);
    if (::linkat(source.get(), existing.back().c_str(), parent.get(), path.back().c_str(), 0)
        != 0) {
        throw failed(path);
    }
}

}  // namespace wheelforge
