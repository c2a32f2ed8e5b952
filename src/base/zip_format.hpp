// SPDX-License-Identifier: Apache-2.0
// Constants of the zip format (PKWARE APPNOTE 6.3) that the reader and the writer share, and
// little-endian access to its fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wheelforge::zip_format {

inline constexpr std::uint32_t local_signature = 0x04034b50;
inline constexpr std::uint32_t central_signature = 0x02014b50;
inline constexpr std::uint32_t descriptor_signature = 0x08074b50;
inline constexpr std::uint32_t end_signature = 0x06054b50;
inline constexpr std::uint32_t end64_signature = 0x06064b50;
inline constexpr std::uint32_t locator64_signature = 0x07064b50;

inline constexpr std::size_t local_size = 30;
inline constexpr std::size_t central_size = 46;
inline constexpr std::size_t end_size = 22;
inline constexpr std::size_t end64_size = 56;
inline constexpr std::size_t locator64_size = 20;

inline constexpr std::uint16_t stored = 0;
inline constexpr std::uint16_t deflated = 8;
inline constexpr std::uint16_t flag_descriptor = 1U << 3U;
inline constexpr std::uint16_t flag_utf8 = 1U << 11U;
inline constexpr std::uint16_t extra_zip64 = 0x0001;
inline constexpr std::uint16_t extra_timestamp = 0x5455;
inline constexpr std::uint16_t extra_unicode_path = 0x7075;
inline constexpr std::uint32_t full32 = 0xffffffff;
inline constexpr std::uint16_t full16 = 0xffff;

/// The bytes at `offset` as a number; the caller has checked that they are there.
template <typename Integer>
[[nodiscard]] constexpr Integer load(std::string_view bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(Integer); i-- > 0;) {
        value = value << 8U | static_cast<unsigned char>(bytes[offset + i]);
    }
    return static_cast<Integer>(value);
}

template <typename Integer>
void store(std::string& bytes, Integer value) {
    auto rest = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        bytes.push_back(static_cast<char>(rest & 0xffU));
        rest >>= 8U;
    }
}

}  // namespace wheelforge::zip_format
