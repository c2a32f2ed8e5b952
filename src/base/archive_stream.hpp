// SPDX-License-Identifier: Apache-2.0
// The decompressed bytes of a source archive, in order and with its integrity checked: gzip by
// zlib (libarchive does not verify a gzip member's CRC, and stops silently at trailing garbage),
// bzip2, xz and plain tar by libarchive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace wheelforge {

enum class ArchiveKind { gzip, bzip2, xz, zip, tar };

/// By content, never by name. Throws Error{refused} "archive-unknown", which tells a saved web
/// page from an unknown or empty file.
[[nodiscard]] ArchiveKind archive_kind(const std::filesystem::path& archive);

class ByteStream {
public:
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;
    virtual ~ByteStream() = default;
    /// Fills the front of `buffer`; 0 at the end. Throws Error{refused}: "archive-damaged" (also
    /// for a truncated file), "archive-trailing".
    virtual std::size_t read(std::span<char> buffer) = 0;
};

/// @param kind  anything but zip
[[nodiscard]] std::unique_ptr<ByteStream>
open_stream(const std::filesystem::path& archive, ArchiveKind kind);

}  // namespace wheelforge
