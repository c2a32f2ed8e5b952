// SPDX-License-Identifier: Apache-2.0
// The compressions that device code comes in. Every function is told the unpacked size or the most
// it may be, spends it from the budget first, and throws ReadError when the data says otherwise.
#pragma once

#include <cstdint>
#include <string>

#include "wheel/byte_view.hpp"

namespace wheelforge::wheel {

struct Unpacked {
    std::string bytes;
    std::uint64_t consumed = 0;  ///< compressed bytes that belonged to it
};

/// One zlib stream (RFC 1950) of exactly `size` bytes unpacked.
[[nodiscard]] Unpacked unpack_zlib(ByteView packed, std::uint64_t size, ReadBudget& budget);
/// One zstd frame of exactly `size` bytes unpacked.
[[nodiscard]] Unpacked unpack_zstd(ByteView packed, std::uint64_t size, ReadBudget& budget);
/// Zstd frame that tells its own size, refused above `limit`.
[[nodiscard]] Unpacked unpack_zstd_frame(ByteView packed, std::uint64_t limit, ReadBudget& budget);
/// A raw LZ4 block of exactly `size` bytes unpacked.
[[nodiscard]] std::string unpack_lz4(ByteView packed, std::uint64_t size, ReadBudget& budget);
/// An xz stream of exactly `size` bytes unpacked.
[[nodiscard]] std::string unpack_xz(ByteView packed, std::uint64_t size, ReadBudget& budget);

/// Refuses sizes that no honest compressor reaches: above 4 GiB, or above 64 MiB + 1000 x packed.
void refuse_bomb(std::uint64_t packed, std::uint64_t unpacked);

}  // namespace wheelforge::wheel
