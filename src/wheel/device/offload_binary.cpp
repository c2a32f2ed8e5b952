// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/offload_binary.hpp"

#include <fmt/format.h>

#include "wheel/device/code_object.hpp"
#include "wheel/device/cubin.hpp"
#include "wheel/device/cuda_fatbin.hpp"
#include "wheel/device/ptx.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view offload_magic = "\x10\xff\x10\xad";
constexpr std::uint64_t offload_header_size = 32;
constexpr std::uint64_t string_entry_size = 16;
constexpr std::uint64_t most_strings = 64;

std::string
value_of(ByteView binary, std::uint64_t table, std::uint64_t count, std::string_view key) {
    for (std::uint64_t i = 0; i < std::min(count, most_strings); ++i) {
        const ByteView entry = binary.sub(table + i * string_entry_size, string_entry_size);
        if (binary.c_string(entry.u64(0)) == key) {
            return std::string(binary.c_string(entry.u64(8)));
        }
    }
    return "";
}

void read_image(ByteView image, const std::string& arch, DeviceCollector& out) {
    const bool is_gfx = arch.starts_with("gfx");
    const ObjectOrigin origin{"", "llvm offload binary", is_gfx ? arch : "", image.size()};
    const auto as = [&](std::string format) {
        ObjectOrigin copy = origin;
        copy.format = std::move(format);
        return copy;
    };
    if (is_code_object(image)) {
        read_code_object(image, as("offload-binary"), out);
    } else if (is_cubin(image)) {
        read_cubin(image, as("cubin"), out);
    } else if (is_cuda_fatbin(image)) {
        read_cuda_containers(image, 0, Trailing::allowed, out);
    } else if (is_ptx(image.text())) {
        read_ptx(image.text(), as("ptx"), out);
    } else if (image.has("BC\xc0\xde")) {
        DeviceCode& code = out.object(arch, "llvm-bitcode");
        code.bytes += image.size();
        code.stored_bytes += image.size();
    } else {
        throw ReadError("an image of an unknown kind");
    }
}

}  // namespace

bool is_offload_binary(ByteView bytes) noexcept {
    return bytes.has(offload_magic);
}

void read_offload_binaries(ByteView bytes, DeviceCollector& out) {
    std::uint64_t at = bytes.skip_zeros(0);
    while (at < bytes.size()) {
        const ByteView rest = bytes.from(at);
        if (!is_offload_binary(rest)) {
            refuse_trailing(bytes, at, Trailing::refused);
        }
        if (const std::uint32_t version = rest.u32(4); version != 1) {
            throw ReadError(fmt::format("offload binary of version {}", version));
        }
        const std::uint64_t size = rest.u64(8);
        const ByteView binary = rest.sub(0, size);
        if (size < offload_header_size) {
            throw ReadError("offload binary that is shorter than its header");
        }
        const ByteView entry = binary.from(binary.u64(16));
        out.inside(fmt::format("offload binary at {:#x}", at), [&] {
            const std::string arch = value_of(binary, entry.u64(8), entry.u64(16), "arch");
            out.budget().spend_objects();
            read_image(binary.sub(entry.u64(24), entry.u64(32)), arch, out);
        });
        at = bytes.skip_zeros(at + size);
    }
}

}  // namespace wheelforge::wheel
