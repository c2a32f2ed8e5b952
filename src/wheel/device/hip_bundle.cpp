// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/hip_bundle.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "wheel/decompress.hpp"
#include "wheel/device/code_object.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view ccob_magic = "CCOB";
constexpr std::string_view spirv_magic = "\x03\x02\x23\x07";
constexpr std::string_view bitcode_magic = "BC\xc0\xde";
constexpr std::uint64_t most_entries = 4096;
constexpr std::uint64_t longest_id = 4096;
constexpr std::uint64_t alignment = 4096;

/// Which container the objects of a bundle came out of.
struct Wrapping {
    std::string format = "hip-bundle";
    std::string detail;
    std::uint64_t stored = 0;    ///< bytes of the container in the file; 0: as they stand
    std::uint64_t unpacked = 0;  ///< bytes of the bundle

    [[nodiscard]] std::uint64_t share(std::uint64_t size) const {
        if (stored == 0 || unpacked == 0) {
            return size;
        }
        const double part = static_cast<double>(size) / static_cast<double>(unpacked);
        return static_cast<std::uint64_t>(part * static_cast<double>(stored));
    }
};

void read_spirv_or_bitcode(
    ByteView blob, const std::string& target, const Wrapping& wrapping, DeviceCollector& out
) {
    DeviceCode& code = out.object(target, blob.has(spirv_magic) ? "spirv" : "llvm-bitcode");
    code.bytes += blob.size();
    code.stored_bytes += wrapping.share(blob.size());
    code.details.insert(wrapping.detail.empty() ? wrapping.format : wrapping.detail);
}

void read_entry(
    ByteView blob, std::string_view id, const Wrapping& wrapping, DeviceCollector& out
) {
    const std::string_view kind = id.substr(0, id.find('-'));
    if (kind == "host") {
        return;
    }
    const std::string target = target_of_triple(id);
    if (target.empty()) {
        throw ReadError("an entry for an unknown kind of target");
    }
    if (blob.empty()) {
        throw ReadError("an entry without content");
    }
    if (blob.has(spirv_magic) || blob.has(bitcode_magic)) {
        read_spirv_or_bitcode(blob, target, wrapping, out);
        return;
    }
    read_code_object(
        blob, {wrapping.format, wrapping.detail, target, wrapping.share(blob.size())}, out
    );
}

/// @returns the offset behind the bundle.
std::uint64_t read_bundle(ByteView bytes, const Wrapping& wrapping, DeviceCollector& out) {
    std::uint64_t at = bundle_magic.size();
    const std::uint64_t count = bytes.u64(at);
    if (count > most_entries) {
        throw ReadError(fmt::format("bundle with {} entries", count));
    }
    at += 8;
    std::uint64_t end = at;
    std::uint64_t device_entries = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t offset = bytes.u64(at);
        const std::uint64_t size = bytes.u64(at + 8);
        const std::uint64_t id_length = bytes.u64(at + 16);
        if (id_length > longest_id) {
            throw ReadError(fmt::format("bundle entry {} with a name of {} bytes", i, id_length));
        }
        const std::string_view id = bytes.sub(at + 24, id_length).text();
        at += 24 + id_length;
        device_entries += id.starts_with("host") ? 0U : 1U;
        out.inside(fmt::format("entry {} ({})", i, id), [&] {
            const ByteView blob = bytes.sub(offset, size);
            end = std::max(end, offset + size);
            read_entry(blob, id, wrapping, out);
        });
    }
    if (device_entries == 0) {
        out.report().empty_containers.emplace_back("bundle without device code");
    }
    return std::max(end, at);
}

struct CompressedHeader {
    std::uint64_t size = 0;
    unsigned version = 0;
    unsigned method = 0;
    std::uint64_t total = 0;  ///< 0: the data itself tells (version 1)
    std::uint64_t unpacked = 0;
    std::uint64_t hash = 0;
};

CompressedHeader read_compressed_header(ByteView bytes) {
    CompressedHeader header;
    header.version = bytes.u16(4);
    header.method = bytes.u16(6);
    switch (header.version) {
    case 1:
        header.size = 20;
        header.unpacked = bytes.u32(8);
        break;
    case 2:
        header.size = 24;
        header.total = bytes.u32(8);
        header.unpacked = bytes.u32(12);
        break;
    case 3:
        header.size = 32;
        header.total = bytes.u64(8);
        header.unpacked = bytes.u64(16);
        break;
    default:
        throw ReadError(fmt::format("compressed bundle of version {}", header.version));
    }
    header.hash = bytes.u64(header.size - 8);
    if (header.method > 1) {
        throw ReadError(fmt::format("compressed bundle with method {}", header.method));
    }
    if (header.version > 1 && header.total < header.size) {
        throw ReadError("compressed bundle that is shorter than its header");
    }
    return header;
}

/// The hash is the first half of the MD5 of the bundle, as a little-endian number.
void check_hash(std::string_view bundle, std::uint64_t expected) {
    Hasher hasher("md5");
    hasher.update(bundle);
    const std::string hex = hasher.finish().substr(0, 16);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        value |= std::stoull(hex.substr(2 * i, 2), nullptr, 16) << (8 * i);
    }
    if (value != expected) {
        throw ReadError("the compressed bundle does not match its hash");
    }
}

/// @returns the offset behind the container.
std::uint64_t read_compressed(ByteView bytes, DeviceCollector& out) {
    const CompressedHeader header = read_compressed_header(bytes);
    const ByteView packed = header.total == 0 ? bytes.from(header.size)
                                              : bytes.sub(header.size, header.total - header.size);
    std::uint64_t end = header.total;
    out.inside(fmt::format("CCOB v{}", header.version), [&] {
        const Unpacked bundle = header.method == 0
                                    ? unpack_zlib(packed, header.unpacked, out.budget())
                                    : unpack_zstd(packed, header.unpacked, out.budget());
        end = end == 0 ? header.size + bundle.consumed : end;
        if (out.compares_digests()) {
            check_hash(bundle.bytes, header.hash);
        }
        if (!std::string_view(bundle.bytes).starts_with(bundle_magic)) {
            throw ReadError("what was compressed is not a bundle");
        }
        const std::string method = header.method == 0 ? "zlib" : "zstd";
        const Wrapping wrapping{
            "ccob",
            fmt::format("CCOB v{} {}", header.version, method),
            header.size + packed.size(),
            bundle.bytes.size()
        };
        read_bundle(ByteView(bundle.bytes), wrapping, out);
    });
    if (end == 0) {
        throw ReadError("where a broken CCOB v1 ends is unknown: the rest is not read");
    }
    return end;
}

}  // namespace

bool is_hip_container(ByteView bytes, std::uint64_t offset) noexcept {
    return bytes.has(bundle_magic, offset) || bytes.has(ccob_magic, offset);
}

ContainerWalk
read_hip_containers(ByteView bytes, std::uint64_t at, Trailing trailing, DeviceCollector& out) {
    ContainerWalk walk;
    at = bytes.skip_zeros(at);
    while (at < bytes.size()) {
        if (!is_hip_container(bytes, at)) {
            // Padding need not be zero: containers start at pages.
            const std::uint64_t page = (at + alignment - 1) / alignment * alignment;
            if (page <= at || !is_hip_container(bytes, page)) {
                refuse_trailing(bytes, at, trailing);
                break;
            }
            at = page;
        }
        walk.starts.push_back(at);
        out.budget().spend_objects();
        const ByteView rest = bytes.from(at);
        std::uint64_t length = 0;
        out.inside(fmt::format("container at {:#x}", at), [&] {
            length = rest.has(ccob_magic) ? read_compressed(rest, out)
                                          : read_bundle(rest, Wrapping(), out);
        });
        if (length == 0) {
            break;
        }
        walk.end = at + std::min(length, bytes.size() - at);
        at = bytes.skip_zeros(walk.end);
    }
    return walk;
}

}  // namespace wheelforge::wheel
