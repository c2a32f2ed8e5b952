// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/xpu.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/decompress.hpp"
#include "wheel/device/ar_archive.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view section_prefix = "__CLANG_OFFLOAD_BUNDLE__sycl-";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::string_view spirv_magic = "\x03\x02\x23\x07";
constexpr std::uint64_t largest_image = 1ULL << 30U;

/// Names of .tgtsym for one target: "sycl-spir64_gen-unknown-unknown.NAME", each with a NUL.
std::vector<std::string_view> names_for(const ElfImage& image, std::string_view target) {
    std::vector<std::string_view> names;
    const ElfSection* section = image.section(".tgtsym");
    if (section == nullptr) {
        return names;
    }
    const std::string prefix = fmt::format("sycl-{}-", target);
    for (const std::string_view entry : split(image.content(*section).text(), '\0')) {
        const std::size_t dot = entry.find('.');
        if (entry.starts_with(prefix) && dot != std::string_view::npos) {
            names.push_back(entry.substr(dot + 1));
        }
    }
    return names;
}

/// "64.12.60.7" is pointer width and device IP version.
std::string arch_of_member(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? std::string(name)
                                         : "intel_gpu_" + std::string(name.substr(dot + 1));
}

class SyclSection {
public:
    SyclSection(const ElfImage& image, std::string_view target, DeviceCollector& out)
        : target_(target), names_(names_for(image, target)), out_(out) {}

    void read(ByteView content) {
        std::uint64_t at = content.skip_zeros(0);
        for (unsigned number = 0; at < content.size(); ++number) {
            const ByteView rest = content.from(at);
            std::uint64_t length = rest.size();
            out_.inside(fmt::format("image {}", number), [&] { length = read_image(rest); });
            at = content.skip_zeros(at + length);
        }
    }

private:
    std::uint64_t read_image(ByteView rest) {
        if (!rest.has(zstd_magic)) {
            read_payload(rest, rest.size(), "");
            return rest.size();
        }
        const Unpacked whole = unpack_zstd_frame(rest, largest_image, out_.budget());
        out_.inside("zstd", [&] { read_payload(ByteView(whole.bytes), whole.consumed, "zstd"); });
        return whole.consumed;
    }

    void read_payload(ByteView payload, std::uint64_t stored, std::string_view detail) {
        const ObjectOrigin origin{"spirv", std::string(detail), "", stored};
        if (is_spirv(payload)) {
            read_spirv(payload, target_, origin, out_);
        } else if (is_ar_archive(payload)) {
            read_archive(payload, stored, detail);
        } else if (ElfImage::is_elf(payload)) {
            add_binary(target_, payload.size(), stored, detail);
        } else {
            throw ReadError("neither SPIR-V nor an archive of device binaries");
        }
    }

    void read_archive(ByteView payload, std::uint64_t stored, std::string_view detail) {
        for (const auto& [name, content] : ar_members(payload)) {
            // Members "pad_0" only align what follows; "generic_ir" is what the others came from.
            if (name != "generic_ir" && !name.starts_with("pad_")) {
                const std::uint64_t part = stored * content.size() / payload.size();
                add_binary(arch_of_member(name), content.size(), part, detail);
            }
        }
    }

    void add_binary(
        const std::string& arch, std::uint64_t size, std::uint64_t stored, std::string_view detail
    ) {
        DeviceCode& code = out_.object(arch, "intel-gpu");
        code.bytes += size;
        code.stored_bytes += stored;
        code.details.insert(target_);
        if (!detail.empty()) {
            code.details.emplace(detail);
        }
        for (const std::string_view name : names_) {
            out_.kernel(code, name, {0, false});
        }
    }

    std::string target_;
    std::vector<std::string_view> names_;
    DeviceCollector& out_;
};

}  // namespace

bool is_spirv(ByteView bytes) noexcept {
    return bytes.has(spirv_magic);
}

void read_spirv(
    ByteView bytes, const std::string& target, const ObjectOrigin& origin, DeviceCollector& out
) {
    constexpr std::uint64_t header = 20;
    constexpr std::uint32_t entry_point = 15;
    DeviceCode& code = out.object(target, origin.format);
    code.bytes += bytes.size();
    code.stored_bytes += origin.stored_bytes;
    if (!origin.detail.empty()) {
        code.details.insert(origin.detail);
    }
    std::uint64_t at = header;
    while (at + 4 <= bytes.size()) {
        const std::uint32_t word = bytes.u32(at);
        const std::uint64_t length = 4ULL * (word >> 16U);
        if (length == 0) {
            throw ReadError(fmt::format("SPIR-V instruction without length at {:#x}", at));
        }
        if ((word & 0xffffU) == entry_point) {
            const ByteView instruction = bytes.sub(at, length);
            out.kernel(code, instruction.c_string(12), {0, false});
        }
        at += length;
    }
}

void read_sycl_sections(const ElfImage& image, DeviceCollector& out) {
    for (const ElfSection& section : image.sections()) {
        if (section.name.starts_with(section_prefix)) {
            out.inside(std::string(section.name), [&] {
                SyclSection(image, section.name.substr(section_prefix.size()), out)
                    .read(image.content(section));
            });
        }
    }
}

}  // namespace wheelforge::wheel
