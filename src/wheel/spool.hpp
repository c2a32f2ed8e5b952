// SPDX-License-Identifier: Apache-2.0
// Content of a member in one piece, in bounded memory: small ones in memory, large ones in a
// nameless temporary file that is mapped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/zip.hpp"

namespace wheelforge::wheel {

/// A mapped file without a name, of a size known beforehand. Throws Error{surroundings}
/// "cannot-spool" when the temporary folder ($TMPDIR) has no room for it.
class SpoolFile {
public:
    explicit SpoolFile(std::uint64_t size);
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;
    SpoolFile(SpoolFile&& other) noexcept;
    SpoolFile& operator=(SpoolFile&&) = delete;
    ~SpoolFile();
    [[nodiscard]] char* data() noexcept { return data_; }
    [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

private:
    char* data_ = nullptr;
    std::size_t size_ = 0;
};

class Spool {
public:
    /// For content that comes in pieces and is `size` bytes in all.
    explicit Spool(std::uint64_t size);
    void append(std::string_view piece);
    [[nodiscard]] std::string_view bytes() const noexcept;

    /// A member of a zip file, its CRC checked. Throws Error{refused} "zip-damaged".
    [[nodiscard]] static Spool member(const ZipReader& zip, const ZipMember& member);

private:
    std::uint64_t size_;
    std::uint64_t filled_ = 0;
    std::string memory_;
    std::optional<SpoolFile> file_;
    std::string_view borrowed_;  ///< stored members need no copy
};

}  // namespace wheelforge::wheel
