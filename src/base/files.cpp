// SPDX-License-Identifier: Apache-2.0
#include "base/files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace wheelforge {

namespace {

constexpr mode_t file_mode = 0644;

Error failure(std::string_view action, const fs::path& path, int error) {
    if (error == ENOSPC || error == EDQUOT) {
        return disk_full(path.native());
    }
    const bool reading = action == "read";
    return {
        ExitCode::surroundings,
        reading ? "cannot-read" : "cannot-write",
        fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error))
    };
}

fs::path parent_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A short name of its own: the target's name may already be as long as a name can be.
fs::path temporary_beside(const fs::path& target) {
    return parent_of(target) / ".wheelforge-XXXXXX";
}

std::optional<std::string> read_open_file(const fs::path& path, std::uint64_t limit) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return std::nullopt;
        }
        throw failure("read", path, errno);
    }
    struct stat info {};
    std::string content;
    if (::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode)) {
        content.reserve(std::min<std::uint64_t>(static_cast<std::uint64_t>(info.st_size), limit));
    }
    std::array<char, 1U << 16U> buffer{};
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
        if (got == 0) {
            return content;
        }
        if (got < 0 && errno != EINTR) {
            throw failure("read", path, errno);
        }
        content.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (content.size() > limit) {
            throw Error{
                ExitCode::surroundings,
                "file-too-large",
                fmt::format("{} is longer than {} bytes", path.string(), limit)
            };
        }
    }
}

void write_all(int descriptor, std::string_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR) {
            throw failure("write", path, errno);
        }
    }
}

void copy_content(const fs::path& from, const fs::path& to) {
    const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (source.get() < 0) {
        throw failure("read", from, errno);
    }
    AtomicFile target(to);
    std::vector<char> buffer(1U << 20U);
    ssize_t got = 0;
    while ((got = ::read(source.get(), buffer.data(), buffer.size())) != 0) {
        if (got > 0) {
            target.write({buffer.data(), static_cast<std::size_t>(got)});
        } else if (errno != EINTR) {
            throw failure("read", from, errno);
        }
    }
    target.commit();
}

/// Hard link under a temporary name; empty where the file system has no links to offer.
fs::path link_beside(const fs::path& from, const fs::path& to) {
    for (;;) {
        std::string name = temporary_beside(to).string();
        const Descriptor reserved(::mkostemp(name.data(), O_CLOEXEC));
        if (reserved.get() < 0) {
            throw failure("write", to, errno);
        }
        ::unlink(name.c_str());
        if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            return name;
        }
        if (errno == ENOENT) {
            throw failure("read", from, errno);
        }
        if (errno != EEXIST) {
            return {};
        }
    }
}

/// Makes every folder of a tree writable. A list instead of recursion: the depth is not ours.
void unlock_folders(const fs::path& root) {
    std::vector<fs::path> waiting{root};
    while (!waiting.empty()) {
        const fs::path folder = std::move(waiting.back());
        waiting.pop_back();
        ::chmod(folder.c_str(), S_IRWXU);
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
             entry.increment(error)) {
            std::error_code ignored;
            if (fs::is_directory(entry->symlink_status(ignored))) {
                waiting.push_back(entry->path());
            }
        }
    }
}

bool exists_error(int error) {
    return error == EEXIST || error == ENOTEMPTY;
}

/// Renames unless the target exists. Some file systems cannot promise that in one step; there a
/// folder with content still refuses to be replaced.
int rename_new(const fs::path& from, const fs::path& target) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    return ::rename(from.c_str(), target.c_str()) == 0 ? 0 : errno;
}

}  // namespace

std::string read_file(const fs::path& path, std::uint64_t limit) {
    auto content = read_open_file(path, limit);
    if (!content) {
        throw failure("read", path, ENOENT);
    }
    return std::move(*content);
}

std::optional<std::string> read_file_if_there(const fs::path& path, std::uint64_t limit) {
    return read_open_file(path, limit);
}

void write_file(const fs::path& path, std::string_view content) {
    AtomicFile file(path);
    file.write(content);
    file.commit();
}

void publish_copy(const fs::path& from, const fs::path& to) {
    make_directories(parent_of(to));
    const fs::path linked = link_beside(from, to);
    if (linked.empty()) {
        copy_content(from, to);
        return;
    }
    const int error = ::rename(linked.c_str(), to.c_str()) == 0 ? 0 : errno;
    // Renaming does nothing, successfully, where both names are links to one file already.
    ::unlink(linked.c_str());
    if (error != 0) {
        throw failure("write", to, error);
    }
}

void make_directories(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error && !fs::is_directory(path)) {
        throw failure("make folder", path, error.value());
    }
}

void remove_tree(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) {
        unlock_folders(path);
        fs::remove_all(path, error);
    }
    if (error) {
        throw failure("remove", path, error.value());
    }
}

std::uint64_t tree_size(const fs::path& path) {
    std::uint64_t total = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(path, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end;
         entry.increment(error)) {
        struct stat info {};
        // What vanished in between takes no space.
        if (::lstat(entry->path().c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
            total += static_cast<std::uint64_t>(info.st_size);
        }
    }
    if (error) {
        throw failure("read", path, error.value());
    }
    return total;
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
    make_directories(parent_of(target_));
    struct stat info {};
    do {
        std::string name = temporary_beside(target_).string();
        Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
        if (!file.valid()) {
            throw failure("write", target_, errno);
        }
        // Says that the writer lives: whoever sweeps (leftovers.hpp) may have been here before.
        ::flock(file.get(), LOCK_EX);
        if (::fstat(file.get(), &info) != 0) {
            throw failure("write", target_, errno);
        }
        if (info.st_nlink > 0) {
            temporary_ = name;
            descriptor_ = file.release();
        }
    } while (descriptor_ < 0);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        ::unlink(temporary_.c_str());
    }
}

void AtomicFile::write(std::string_view bytes) {
    write_all(descriptor_, bytes, target_);
}

void AtomicFile::commit() {
    if (::fchmod(descriptor_, file_mode) != 0 || ::fsync(descriptor_) != 0
        || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
        throw failure("write", target_, errno);
    }
    // From here on there is nothing to discard.
    ::close(std::exchange(descriptor_, -1));
}

TempDir::TempDir(const fs::path& parent, std::string_view prefix) {
    make_directories(parent);
    std::string name = (parent / fmt::format("{}XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw failure("make folder", name, errno);
    }
    path_ = name;
}

TempDir::TempDir(TempDir&& other) noexcept : path_(other.release()) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

TempDir::~TempDir() {
    if (path_.empty()) {
        return;
    }
    try {
        remove_tree(path_);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
        // A leftover in a folder for temporary things; a destructor has nobody to tell.
    }
}

fs::path TempDir::release() noexcept {
    return std::exchange(path_, {});
}

bool publish_directory(const fs::path& from, const fs::path& target) {
    make_directories(parent_of(target));
    {
        // One call for the whole tree: syncing file by file costs a second per thousand files.
        const Descriptor folder(::open(from.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.get() < 0 || ::syncfs(folder.get()) != 0) {
            throw failure("read", from, errno);
        }
    }
    const int error = rename_new(from, target);
    if (exists_error(error)) {
        remove_tree(from);
        return false;
    }
    if (error != 0) {
        throw failure("write", target, error);
    }
    return true;
}

std::optional<FileLock> FileLock::acquire(const fs::path& path, Wait wait) {
    make_directories(parent_of(path));
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, file_mode));
    if (file.get() < 0) {
        throw failure("lock", path, errno);
    }
    while (::flock(file.get(), wait == Wait::yes ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK && wait == Wait::no) {
            return std::nullopt;
        }
        if (errno != EINTR) {
            throw failure("lock", path, errno);
        }
    }
    return FileLock(file.release());
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

fs::path home_directory() {
    const char* variable = std::getenv("HOME");
    if (variable != nullptr && *variable != '\0') {
        return variable;
    }
    std::vector<char> buffer(1U << 14U);
    passwd entry{};
    passwd* found = nullptr;
    const int error = ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    if (error != 0 || found == nullptr) {
        throw Error{
            ExitCode::surroundings, "no-home", "HOME is not set and the user has no home folder"
        }
            .advise("set HOME");
    }
    return entry.pw_dir;
}

}  // namespace wheelforge
