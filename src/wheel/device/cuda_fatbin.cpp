// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/cuda_fatbin.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "wheel/decompress.hpp"
#include "wheel/device/cubin.hpp"
#include "wheel/device/ptx.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view container_magic = "\x50\xed\x55\xba";
constexpr std::uint64_t container_header = 16;
constexpr std::uint64_t least_entry_header = 64;
constexpr std::uint64_t sub_header = 64;

enum class Kind : std::uint16_t { ptx = 1, cubin = 2, old_cubin = 4, lto_ir = 8, group = 256 };

constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;
constexpr std::uint64_t flag_this_chip = 0x100000;
constexpr std::uint64_t flag_family = 0x200000;

struct Entry {
    Kind kind = Kind::cubin;
    std::uint64_t header_size = 0;
    std::uint64_t stored = 0;      ///< payload with padding
    std::uint64_t compressed = 0;  ///< 0: not compressed
    std::uint32_t capability = 0;
    std::uint64_t flags = 0;
    std::uint64_t unpacked = 0;

    [[nodiscard]] std::string number() const {
        const char* suffix = (flags & flag_this_chip) != 0 ? "a" : "";
        return fmt::format("{}{}", capability, (flags & flag_family) != 0 ? "f" : suffix);
    }
    [[nodiscard]] std::string compression() const {
        if ((flags & flag_zstd) != 0) {
            return "zstd";
        }
        return (flags & flag_lz4) != 0 ? "lz4" : "";
    }
};

Entry read_entry_header(ByteView bytes) {
    Entry entry;
    entry.kind = static_cast<Kind>(bytes.u16(0));
    entry.header_size = bytes.u32(4);
    entry.stored = bytes.u64(8);
    entry.compressed = bytes.u32(16);
    entry.capability = bytes.u32(28);
    entry.flags = bytes.u64(40);
    entry.unpacked = bytes.u64(56);
    return entry;
}

void read_lto(ByteView payload, const Entry& entry, DeviceCollector& out) {
    DeviceCode& code = out.object("lto_" + entry.number(), "lto-ir");
    code.bytes += payload.size();
    code.stored_bytes += entry.stored;
}

void read_payload(ByteView payload, const Entry& entry, DeviceCollector& out) {
    switch (entry.kind) {
    case Kind::ptx:
        read_ptx(
            payload.text(),
            {"ptx", entry.compression(), "compute_" + entry.number(), entry.stored},
            out
        );
        break;
    case Kind::cubin:
    case Kind::old_cubin:
        read_cubin(
            payload, {"cubin", entry.compression(), "sm_" + entry.number(), entry.stored}, out
        );
        break;
    default:
        throw ReadError(
            fmt::format("entry of the unknown kind {}", static_cast<unsigned>(entry.kind))
        );
    }
}

/// The content of an entry, unpacked into `room` where it is compressed.
ByteView unpacked(ByteView payload, const Entry& entry, std::string& room, DeviceCollector& out) {
    if (entry.compressed == 0) {
        return payload;
    }
    const ByteView packed = payload.sub(0, entry.compressed);
    if ((entry.flags & flag_zstd) != 0) {
        room = unpack_zstd(packed, entry.unpacked, out.budget()).bytes;
    } else if ((entry.flags & flag_lz4) != 0) {
        room = unpack_lz4(packed, entry.unpacked, out.budget());
    } else {
        throw ReadError(fmt::format("compression that flags {:#x} name is unknown", entry.flags));
    }
    return ByteView(room);
}

/// Kind 256, written by `nvcc --concat`: behind the header a count, a size and a sub-header for
/// each member; the payload is all members, one after the other, compressed as a whole.
void read_group(ByteView members, ByteView content, const Entry& group, DeviceCollector& out) {
    const std::uint64_t count = members.u32(0);
    if (count > members.size() / sub_header) {
        throw ReadError(fmt::format("group of {} members", count));
    }
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        Entry member = read_entry_header(members.sub(8 + i * sub_header, sub_header));
        const ByteView payload = content.sub(at, member.stored);
        at += member.stored;
        member.flags |= group.flags & (flag_zstd | flag_lz4);
        out.inside(fmt::format("member {} (sm {})", i, member.number()), [&] {
            read_payload(payload, member, out);
        });
    }
}

void read_entry(ByteView bytes, const Entry& entry, DeviceCollector& out) {
    const ByteView payload = bytes.sub(entry.header_size, entry.stored);
    std::string room;
    if (entry.kind == Kind::lto_ir) {
        read_lto(payload, entry, out);
    } else if (entry.kind == Kind::group) {
        out.report().has_concat_group = true;
        const ByteView members =
            bytes.sub(least_entry_header, entry.header_size - least_entry_header);
        read_group(members, unpacked(payload, entry, room, out), entry, out);
    } else {
        read_payload(unpacked(payload, entry, room, out), entry, out);
    }
}

void read_container(ByteView body, DeviceCollector& out) {
    std::uint64_t at = 0;
    for (unsigned number = 0; at < body.size(); ++number) {
        const ByteView rest = body.from(at);
        const Entry entry = read_entry_header(rest.sub(0, least_entry_header));
        if (entry.header_size < least_entry_header) {
            throw ReadError(
                fmt::format("entry {} with a header of {} bytes", number, entry.header_size)
            );
        }
        const std::uint64_t size = entry.header_size + entry.stored;
        if (size < entry.stored) {
            throw ReadError(fmt::format("entry {} with an impossible size", number));
        }
        out.budget().spend_objects();
        out.inside(fmt::format("entry {} (sm {})", number, entry.number()), [&] {
            read_entry(rest, entry, out);
        });
        at += size;
    }
    if (body.empty()) {
        out.report().empty_containers.emplace_back("fat binary without entries");
    }
}

}  // namespace

bool is_cuda_fatbin(ByteView bytes, std::uint64_t offset) noexcept {
    return bytes.has(container_magic, offset);
}

ContainerWalk
read_cuda_containers(ByteView bytes, std::uint64_t at, Trailing trailing, DeviceCollector& out) {
    ContainerWalk walk;
    at = bytes.skip_zeros(at);
    while (at < bytes.size()) {
        if (!is_cuda_fatbin(bytes, at)) {
            refuse_trailing(bytes, at, trailing);
            break;
        }
        const std::uint64_t header = bytes.u16(at + 6);
        const std::uint64_t size = bytes.u64(at + 8);
        if (header < container_header) {
            throw ReadError(fmt::format("container at {:#x} with a header of {} bytes", at, header)
            );
        }
        walk.starts.push_back(at);
        const ByteView body = bytes.from(at + header).sub(0, size);
        out.inside(fmt::format("container at {:#x}", at), [&] { read_container(body, out); });
        walk.end = at + header + size;
        at = bytes.skip_zeros(walk.end);
    }
    return walk;
}

}  // namespace wheelforge::wheel
