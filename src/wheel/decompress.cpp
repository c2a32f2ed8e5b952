// SPDX-License-Identifier: Apache-2.0
#include "wheel/decompress.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <libdeflate.h>
#include <lz4.h>
#include <lzma.h>
#include <zstd.h>

namespace wheelforge::wheel {

namespace {

[[noreturn]] void broken(const char* method, const std::string& why) {
    throw ReadError(std::string(method) + " data is broken: " + why);
}

std::string room_for(ByteView packed, std::uint64_t size, ReadBudget& budget) {
    refuse_bomb(packed.size(), size);
    budget.spend_bytes(size);
    return std::string(size, '\0');
}

const std::uint8_t* bytes_of(ByteView view) {
    return reinterpret_cast<const std::uint8_t*>(view.text().data());
}

std::uint8_t* bytes_of(std::string& text) {
    return reinterpret_cast<std::uint8_t*>(text.data());
}

ZSTD_DCtx* zstd_context() {
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(
        ZSTD_createDCtx(), &ZSTD_freeDCtx
    );
    return context.get();
}

}  // namespace

void refuse_bomb(std::uint64_t packed, std::uint64_t unpacked) {
    constexpr std::uint64_t most = 4ULL << 30U;
    constexpr std::uint64_t free_of_charge = 64ULL << 20U;
    const std::uint64_t allowed =
        packed > most / 1000 ? most : std::min(most, free_of_charge + 1000 * packed);
    if (unpacked > allowed) {
        throw ReadError(
            "claims to unpack from " + std::to_string(packed) + " to " + std::to_string(unpacked)
            + " bytes"
        );
    }
}

Unpacked unpack_zlib(ByteView packed, std::uint64_t size, ReadBudget& budget) {
    Unpacked result{room_for(packed, size, budget), 0};
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        inflater(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const libdeflate_result status = libdeflate_zlib_decompress_ex(
        inflater.get(),
        packed.text().data(),
        packed.size(),
        result.bytes.data(),
        result.bytes.size(),
        &consumed,
        &produced
    );
    if (status != LIBDEFLATE_SUCCESS || produced != size) {
        broken("zlib", "not a stream of " + std::to_string(size) + " bytes");
    }
    result.consumed = consumed;
    return result;
}

Unpacked unpack_zstd(ByteView packed, std::uint64_t size, ReadBudget& budget) {
    const std::size_t consumed = ZSTD_findFrameCompressedSize(packed.text().data(), packed.size());
    if (ZSTD_isError(consumed) != 0U) {
        broken("zstd", ZSTD_getErrorName(consumed));
    }
    Unpacked result{room_for(packed, size, budget), consumed};
    const std::size_t produced = ZSTD_decompressDCtx(
        zstd_context(), result.bytes.data(), result.bytes.size(), packed.text().data(), consumed
    );
    if (ZSTD_isError(produced) != 0U) {
        broken("zstd", ZSTD_getErrorName(produced));
    }
    if (produced != size) {
        broken("zstd", "not a frame of " + std::to_string(size) + " bytes");
    }
    return result;
}

Unpacked unpack_zstd_frame(ByteView packed, std::uint64_t limit, ReadBudget& budget) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.text().data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR) {
        broken("zstd", "no frame");
    }
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size > limit) {
        broken("zstd", "the frame does not tell a size below the limit");
    }
    return unpack_zstd(packed, size, budget);
}

std::string unpack_lz4(ByteView packed, std::uint64_t size, ReadBudget& budget) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    if (packed.size() > most || size > most) {
        broken("lz4", "block above 2 GiB");
    }
    std::string result = room_for(packed, size, budget);
    const int produced = LZ4_decompress_safe(
        packed.text().data(), result.data(), static_cast<int>(packed.size()), static_cast<int>(size)
    );
    if (produced < 0 || static_cast<std::uint64_t>(produced) != size) {
        broken("lz4", "not a block of " + std::to_string(size) + " bytes");
    }
    return result;
}

std::string unpack_xz(ByteView packed, std::uint64_t size, ReadBudget& budget) {
    std::string result = room_for(packed, size, budget);
    std::uint64_t memory = 256ULL << 20U;
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const lzma_ret status = lzma_stream_buffer_decode(
        &memory,
        0,
        nullptr,
        bytes_of(packed),
        &consumed,
        packed.size(),
        bytes_of(result),
        &produced,
        result.size()
    );
    if (status != LZMA_OK || produced != size) {
        broken("xz", "not a stream of " + std::to_string(size) + " bytes");
    }
    return result;
}

}  // namespace wheelforge::wheel
