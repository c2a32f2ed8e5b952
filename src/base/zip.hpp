// SPDX-License-Identifier: Apache-2.0
// Zip files as wheels use them (PKWARE APPNOTE 6.3; stored and deflated members, zip64).
//
// Ours, for two reasons: sealing copies members raw instead of recompressing them, and a wheel
// from outside is only accepted if the central directory and every local header agree, which
// archive libraries do not check. Refusals are Error{refused} with ids "zip-*" naming the member:
// duplicate names, absolute or '..' names, backslashes, symlinks, encrypted members, two ends of
// central directory, offsets or sizes out of the file, trailing bytes, overlapping members, bombs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

struct ZipMember {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t compressed_size = 0;
    std::uint32_t crc32 = 0;
    std::uint16_t method = 0;  ///< 0 stored, 8 deflated
    std::uint32_t mode =
        0;  ///< Unix mode bits as installers read them (whatever made the file), or 0
    std::int64_t mtime = 0;         ///< seconds since the epoch; a DOS time is taken as UTC
    std::uint64_t data_offset = 0;  ///< of the compressed bytes in the file
    [[nodiscard]] bool is_directory() const noexcept { return !name.empty() && name.back() == '/'; }
    [[nodiscard]] bool is_executable() const noexcept { return (mode & 0111U) != 0; }
};

struct ZipLimits {
    std::uint64_t unpacked_bytes = 64ULL << 30U;
    std::uint64_t members = 400'000;
    std::uint64_t ratio = 1100;  ///< deflate's own maximum is 1032
};

/// A zip file opened for reading (mapped). Construction validates the whole structure.
class ZipReader {
public:
    explicit ZipReader(const std::filesystem::path& path, const ZipLimits& limits = {});
    ZipReader(ZipReader&&) noexcept;
    ZipReader& operator=(ZipReader&&) noexcept;
    ~ZipReader();

    [[nodiscard]] const std::vector<ZipMember>& members() const noexcept;
    [[nodiscard]] const ZipMember* find(std::string_view name) const noexcept;
    /// Inflates a whole member (libdeflate) and checks its CRC; refuses above `limit`.
    [[nodiscard]] std::string
    read(const ZipMember& member, std::uint64_t limit = 1ULL << 30U) const;
    /// Inflates in pieces of at most 1 MiB (zlib), bounded memory, CRC checked at the end.
    void stream(const ZipMember& member, const std::function<void(std::string_view)>& sink) const;
    /// The member's bytes as they stand in the file (compressed).
    [[nodiscard]] std::string_view raw(const ZipMember& member) const;
    /// The same in pieces, without keeping them in memory.
    void
    stream_raw(const ZipMember& member, const std::function<void(std::string_view)>& sink) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes a deterministic zip: fixed times (1980-01-01), modes 0644/0755, no extra fields beyond
/// zip64's, members in the order added. Bytes appear under `target` by commit() only.
class ZipWriter {
public:
    explicit ZipWriter(const std::filesystem::path& target);
    ZipWriter(ZipWriter&&) noexcept;
    ~ZipWriter();
    /// Deflates `content` (level 6, or stores it where that is smaller).
    void add(std::string_view name, std::string_view content, std::uint32_t mode = 0644);
    /// Copies a member of another zip without inflating it.
    void add_raw(const ZipReader& from, const ZipMember& member);
    /// Writes the central directory, syncs and renames.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wheelforge
