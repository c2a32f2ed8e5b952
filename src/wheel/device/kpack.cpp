// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/kpack.hpp"

#include <fmt/format.h>

#include "wheel/decompress.hpp"
#include "wheel/device/code_object.hpp"
#include "wheel/device/hip_bundle.hpp"
#include "wheel/msgpack.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view kpack_magic = "KPAK";
constexpr std::uint64_t largest_object = 1ULL << 30U;

/// Where the objects stand, by ordinal.
struct Blobs {
    std::vector<ByteView> parts;
    bool zstd = false;
};

std::uint64_t unsigned_of(const Msgpack::Cursor& map, std::string_view key) {
    const auto value = map.integer_of(key);
    if (!value || *value < 0) {
        throw ReadError(fmt::format("the table of contents lacks {}", key));
    }
    return static_cast<std::uint64_t>(*value);
}

/// A count, then size and frame by turns.
std::vector<ByteView> zstd_parts(ByteView area) {
    const std::uint64_t count = area.u32(0);
    if (count > area.size() / 4) {
        throw ReadError(fmt::format("{} kernels do not fit into the archive", count));
    }
    std::vector<ByteView> parts;
    std::uint64_t at = 4;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t size = area.u32(at);
        parts.push_back(area.sub(at + 4, size));
        at += 4 + size;
    }
    return parts;
}

Blobs find_blobs(ByteView file, const Msgpack::Cursor& contents) {
    const std::string_view scheme = contents.text_of("compression_scheme");
    Blobs blobs;
    if (scheme == "zstd-per-kernel") {
        blobs.zstd = true;
        blobs.parts = zstd_parts(
            file.sub(unsigned_of(contents, "zstd_offset"), unsigned_of(contents, "zstd_size"))
        );
    } else if (scheme.empty() || scheme == "none") {
        const auto list = contents.find("blobs");
        for (const Msgpack::Cursor& blob :
             list ? list->elements() : std::vector<Msgpack::Cursor>()) {
            blobs.parts.push_back(file.sub(unsigned_of(blob, "offset"), unsigned_of(blob, "size")));
        }
    } else {
        throw ReadError(fmt::format("compression scheme '{}' is unknown", scheme));
    }
    return blobs;
}

void read_object(ByteView bytes, const ObjectOrigin& origin, DeviceCollector& out) {
    if (is_hip_container(bytes)) {
        read_hip_containers(bytes, 0, Trailing::allowed, out);
    } else {
        read_code_object(bytes, origin, out);
    }
}

void read_entry(
    const Blobs& blobs, std::string_view arch, const Msgpack::Cursor& entry, DeviceCollector& out
) {
    const std::uint64_t ordinal = unsigned_of(entry, "ordinal");
    if (ordinal >= blobs.parts.size()) {
        throw ReadError(fmt::format("there is no object {} in the archive", ordinal));
    }
    const ByteView part = blobs.parts[ordinal];
    const ObjectOrigin origin{"kpack", blobs.zstd ? "zstd" : "", std::string(arch), part.size()};
    if (!blobs.zstd) {
        read_object(part, origin, out);
        return;
    }
    const Unpacked whole = unpack_zstd_frame(part, largest_object, out.budget());
    read_object(ByteView(whole.bytes), origin, out);
}

void read_contents(ByteView file, const Msgpack::Cursor& contents, DeviceCollector& out) {
    const Blobs blobs = find_blobs(file, contents);
    const auto table = contents.find("toc");
    const std::vector<Msgpack::Cursor> binaries =
        table ? table->pairs() : std::vector<Msgpack::Cursor>();
    for (std::size_t i = 0; i + 1 < binaries.size(); i += 2) {
        const std::string name(binaries[i].text());
        out.report().kpack_names.insert(name);
        const std::vector<Msgpack::Cursor> archs = binaries[i + 1].pairs();
        for (std::size_t j = 0; j + 1 < archs.size(); j += 2) {
            out.inside(fmt::format("{} for {}", name, archs[j].text()), [&] {
                read_entry(blobs, archs[j].text(), archs[j + 1], out);
            });
        }
    }
}

}  // namespace

bool is_kpack(ByteView bytes) noexcept {
    return bytes.has(kpack_magic);
}

void read_kpack(ByteView bytes, DeviceCollector& out) {
    if (const std::uint32_t version = bytes.u32(4); version != 1) {
        throw ReadError(fmt::format("kpack archive of version {}", version));
    }
    const Msgpack contents(bytes.from(bytes.u64(8)), out.budget());
    if (contents.root().kind() != Msgpack::Kind::map) {
        throw ReadError("the table of contents is no map");
    }
    read_contents(bytes, contents.root(), out);
}

void read_kpack_reference(ByteView bytes, DeviceCollector& out) {
    const Msgpack note(bytes, out.budget());
    KpackReference reference;
    reference.kernel_name = std::string(note.root().text_of("kernel_name"));
    if (const auto paths = note.root().find("kpack_search_paths")) {
        for (const Msgpack::Cursor& path : paths->elements()) {
            reference.search_paths.emplace_back(path.text());
        }
    }
    if (reference.kernel_name.empty() || reference.search_paths.empty()) {
        throw ReadError("a reference to a kpack archive without name or path");
    }
    out.report().kpack_references.push_back(std::move(reference));
}

}  // namespace wheelforge::wheel
