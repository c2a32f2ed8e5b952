// SPDX-License-Identifier: Apache-2.0
// Files on the local disk: whole-file reads, atomic publication, temporary folders, locks.
//
// Nothing half-written is ever visible under its final name: everything is written beside it,
// synced, and renamed. All functions throw Error (ExitCode::surroundings) naming the path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge {

namespace fs = std::filesystem;

/// Reads a whole file; refuses one longer than `limit` bytes (id "file-too-large").
[[nodiscard]] std::string read_file(const fs::path& path, std::uint64_t limit = 64U << 20U);
/// The same; nullopt when the file does not exist.
[[nodiscard]] std::optional<std::string>
read_file_if_there(const fs::path& path, std::uint64_t limit = 64U << 20U);
/// Writes beside `path`, fsyncs, renames over it. Parent folders are made. Mode 0644.
void write_file(const fs::path& path, std::string_view content);
/// Publishes an existing file under another name: hard link where the file system allows (then
/// renamed into place), else copied. The source stays.
void publish_copy(const fs::path& from, const fs::path& to);
void make_directories(const fs::path& path);
/// Removes a tree, also one with read-only folders; a missing one is fine.
void remove_tree(const fs::path& path);
/// Bytes of all regular files below `path`.
[[nodiscard]] std::uint64_t tree_size(const fs::path& path);

/// A file that becomes visible under its name only by commit(); the destructor discards.
class AtomicFile {
public:
    explicit AtomicFile(fs::path target);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    void write(std::string_view bytes);
    [[nodiscard]] const fs::path& temporary_path() const noexcept { return temporary_; }
    /// Syncs and renames. At most once.
    void commit();

private:
    fs::path target_;
    fs::path temporary_;
    int descriptor_ = -1;
};

/// A private folder (mode 0700), removed by the destructor unless released.
class TempDir {
public:
    /// Made inside `parent` (which is made if needed) as `prefix` + random letters.
    explicit TempDir(const fs::path& parent, std::string_view prefix = "tmp-");
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    TempDir(TempDir&& other) noexcept;
    TempDir& operator=(TempDir&& other) noexcept;
    ~TempDir();

    [[nodiscard]] const fs::path& path() const noexcept { return path_; }
    fs::path release() noexcept;

private:
    fs::path path_;
};

/// Renames a finished folder into place. When `target` exists already the other writer won: the
/// source is removed and false returned.
bool publish_directory(const fs::path& from, const fs::path& target);

/// An advisory flock on a file of its own; released by the destructor and by the kernel when the
/// process dies. The lock file stays.
class FileLock {
public:
    enum class Wait { yes, no };
    /// @returns nullopt only with Wait::no and a lock held elsewhere.
    [[nodiscard]] static std::optional<FileLock> acquire(const fs::path& path, Wait wait);
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

/// The user's home by $HOME, else by the password database.
[[nodiscard]] fs::path home_directory();

}  // namespace wheelforge
