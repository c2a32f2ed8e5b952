// SPDX-License-Identifier: Apache-2.0
// The decompressed tar stream seen through a window that keeps the bytes since the end of the last
// member, so that headers can be looked at a second time; counts what the limits are about.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "base/archive.hpp"
#include "base/archive_stream.hpp"

namespace wheelforge {

class TarWindow {
public:
    TarWindow(const std::filesystem::path& archive, ArchiveKind kind, const ArchiveLimits& limits);

    /// The next bytes, valid until the next call; empty at the end. What stands before the offset
    /// given to keep_from is forgotten. Throws Error{refused} "archive-limit".
    std::string_view advance();
    /// Headers start at `offset` of the stream: keep the bytes from there on.
    void keep_from(std::uint64_t offset) noexcept;
    [[nodiscard]] std::uint64_t kept_from() const noexcept { return keep_from_; }
    /// Bytes from kept_from() to `end`.
    [[nodiscard]] std::string_view kept(std::uint64_t end) const noexcept;
    /// Offset behind the last byte that was not zero.
    [[nodiscard]] std::uint64_t last_nonzero() const noexcept { return last_nonzero_; }

private:
    void forget();
    void check_limits() const;

    std::unique_ptr<ByteStream> stream_;
    std::uint64_t packed_;
    ArchiveLimits limits_;
    std::vector<char> bytes_;
    std::uint64_t begin_ = 0;  ///< offset of bytes_ in the stream
    std::uint64_t keep_from_ = 0;
    std::uint64_t total_ = 0;
    std::uint64_t last_nonzero_ = 0;
};

}  // namespace wheelforge
