// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/aotriton.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "wheel/decompress.hpp"
#include "wheel/device/code_object.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view aks2_magic = "AKS2";
constexpr std::uint64_t aks2_header_size = 16;

struct Image {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::string_view name;
};

/// Records of shared memory, threads (absent in older files), offset, size, name length, name.
std::optional<std::vector<Image>>
read_directory(ByteView directory, std::uint64_t count, std::uint64_t record_size) {
    std::vector<Image> images;
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (directory.size() - at < record_size) {
            return std::nullopt;
        }
        const ByteView record = directory.sub(at, record_size);
        const std::uint64_t name_length = record.u32(record_size - 4);
        at += record_size;
        if (name_length == 0 || name_length > directory.size() - at) {
            return std::nullopt;
        }
        std::string_view name = directory.sub(at, name_length).text();
        name = name.substr(0, name.find('\0'));
        images.push_back({record.u32(record_size - 12), record.u32(record_size - 8), name});
        at += name_length;
    }
    return at == directory.size() ? std::optional(images) : std::nullopt;
}

std::vector<Image> read_any_directory(ByteView directory, std::uint64_t count) {
    constexpr std::uint64_t with_threads = 20;
    constexpr std::uint64_t without_threads = 16;
    if (auto images = read_directory(directory, count, with_threads)) {
        return *images;
    }
    if (auto images = read_directory(directory, count, without_threads)) {
        return *images;
    }
    throw ReadError(fmt::format("the directory does not hold {} kernels", count));
}

}  // namespace

bool is_aks2(ByteView bytes) noexcept {
    return bytes.has(aks2_magic);
}

void read_aks2(ByteView bytes, DeviceCollector& out) {
    const std::uint64_t unpacked_size = bytes.u32(4);
    const std::uint64_t count = bytes.u32(8);
    const std::uint64_t directory_size = bytes.u32(12);
    const ByteView packed = bytes.from(aks2_header_size);
    const std::string content = unpack_xz(packed, unpacked_size, out.budget());
    const ByteView view{std::string_view(content)};
    const ByteView images = view.from(directory_size);
    std::vector<std::string_view> failed;
    for (const Image& image : read_any_directory(view.sub(0, directory_size), count)) {
        if (image.size == 0) {
            failed.push_back(image.name);
            continue;
        }
        const std::uint64_t stored =
            packed.size() * image.size / std::max<std::uint64_t>(1, unpacked_size);
        out.inside(fmt::format("kernel {}", image.name), [&] {
            read_code_object(images.sub(image.offset, image.size), {"aks2", "xz", "", stored}, out);
        });
    }
    for (const std::string_view name : failed) {
        out.report().failed_kernels.emplace_back(name);
    }
}

}  // namespace wheelforge::wheel
