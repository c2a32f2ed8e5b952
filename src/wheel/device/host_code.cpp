// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/host_code.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "wheel/device/cuda_fatbin.hpp"
#include "wheel/device/hip_bundle.hpp"
#include "wheel/device/kpack.hpp"
#include "wheel/device/offload_binary.hpp"
#include "wheel/device/xpu.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::uint32_t hip_wrapper = 0x48495046;    // "HIPF"
constexpr std::uint32_t kpack_wrapper = 0x4b504948;  // "HIPK"
constexpr std::uint32_t cuda_wrapper = 0x466243b1;
constexpr std::uint64_t wrapper_size = 24;
constexpr std::uint16_t type_relocatable = 1;

using Walk = ContainerWalk (*)(ByteView, std::uint64_t, Trailing, DeviceCollector&);

ContainerWalk walk_offload_binaries(ByteView bytes, std::uint64_t, Trailing, DeviceCollector& out) {
    read_offload_binaries(bytes, out);
    return {};
}

struct Embedding {
    std::string_view section;
    Walk walk;
};

/// Sections that wrappers of one kind may point into.
struct Registration {
    std::string_view wrappers;
    std::vector<Embedding> embeddings;
};

const std::vector<Registration>& registrations() {
    static const std::vector<Registration> all = {
        {".hipFatBinSegment", {{".hip_fatbin", &read_hip_containers}}},
        {".nvFatBinSegment",
         {{".nv_fatbin", &read_cuda_containers}, {"__nv_relfatbin", &read_cuda_containers}}},
        {"", {{".llvm.offloading", &walk_offload_binaries}}},
    };
    return all;
}

/// Addresses at which containers start, and what the wrappers say about them.
class Wrappers {
public:
    Wrappers(const ElfImage& image, DeviceCollector& out) : image_(image), out_(out) {}

    void check(const ElfSection& section, const std::vector<std::uint64_t>& containers) {
        const ByteView table = image_.content(section);
        for (std::uint64_t at = 0; at + wrapper_size <= table.size(); at += wrapper_size) {
            const std::uint32_t magic = table.u32(at);
            if (magic != hip_wrapper && magic != kpack_wrapper && magic != cuda_wrapper) {
                out_.error(fmt::format("wrapper at {:#x} has the unknown magic {:#x}", at, magic));
            } else if (magic != kpack_wrapper) {
                check_target(target(section.address + at + 8, table.u64(at + 8)), containers);
            }
        }
    }

private:
    /// What the loader will write into the wrapper: the addend of its relocation, else what is
    /// already there.
    std::uint64_t target(std::uint64_t where, std::uint64_t in_place) {
        if (!relocations_) {
            relocations_ = image_.pointers();
        }
        const auto found = std::lower_bound(
            relocations_->begin(),
            relocations_->end(),
            where,
            [](const ElfRelocation& relocation, std::uint64_t value) {
                return relocation.where < value;
            }
        );
        return found != relocations_->end() && found->where == where ? found->target : in_place;
    }

    void check_target(std::uint64_t address, const std::vector<std::uint64_t>& containers) {
        if (!std::binary_search(containers.begin(), containers.end(), address)) {
            out_.error(fmt::format("a wrapper points to {:#x}, where no container starts", address)
            );
        }
    }

    const ElfImage& image_;
    DeviceCollector& out_;
    std::optional<std::vector<ElfRelocation>> relocations_;
};

bool is_all_zero(ByteView bytes) {
    return bytes.skip_zeros(0) == bytes.size();
}

/// @returns the addresses at which the containers of one section start.
std::vector<std::uint64_t>
read_section(const ElfImage& image, const ElfSection& section, Walk walk, DeviceCollector& out) {
    const ByteView content = image.content(section);
    const bool moved_away = image.section(".rocm_kpack_ref") != nullptr;
    if (!content.empty() && is_all_zero(content) && !moved_away) {
        throw ReadError("holds nothing but zeros");
    }
    std::vector<std::uint64_t> addresses;
    for (const std::uint64_t start : walk(content, 0, Trailing::refused, out).starts) {
        addresses.push_back(section.address + start);
    }
    return addresses;
}

void read_registration(
    const ElfImage& image, const Registration& registration, DeviceCollector& out
) {
    std::vector<std::uint64_t> containers;
    for (const Embedding& embedding : registration.embeddings) {
        for (const ElfSection& section : image.sections()) {
            if (section.name != embedding.section) {
                continue;
            }
            out.inside(std::string(section.name), [&] {
                const auto found = read_section(image, section, embedding.walk, out);
                containers.insert(containers.end(), found.begin(), found.end());
            });
        }
    }
    std::sort(containers.begin(), containers.end());
    const ElfSection* wrappers = image.section(registration.wrappers);
    if (wrappers != nullptr && image.type() != type_relocatable) {
        out.inside(std::string(wrappers->name), [&] {
            Wrappers(image, out).check(*wrappers, containers);
        });
    }
}

/// Without section headers: HIP containers start at pages, CUDA containers at multiples of 8.
void scan_segment(ByteView content, DeviceCollector& out) {
    constexpr std::uint64_t page = 4096;
    std::uint64_t at = 0;
    while (at + 8 <= content.size()) {
        const bool is_hip = at % page == 0 && is_hip_container(content, at);
        const bool is_cuda = is_cuda_fatbin(content, at) && content.u16(at + 4) == 1;
        ContainerWalk walk;
        if (is_hip || is_cuda) {
            out.inside(fmt::format("found by scan at {:#x}", at), [&] {
                walk = is_hip ? read_hip_containers(content, at, Trailing::allowed, out)
                              : read_cuda_containers(content, at, Trailing::allowed, out);
            });
        }
        at = std::max(at + 8, (walk.end + 7) / 8 * 8);
    }
}

void scan_segments(const ElfImage& image, DeviceCollector& out) {
    for (const ElfSegment& segment : image.segments()) {
        if (segment.type == elf::segment_load) {
            scan_segment(image.file().sub(segment.offset, segment.file_size), out);
        }
    }
}

}  // namespace

void read_host_code(const ElfImage& image, DeviceCollector& out) {
    if (image.sections().empty()) {
        scan_segments(image, out);
    }
    for (const Registration& registration : registrations()) {
        read_registration(image, registration, out);
    }
    if (const ElfSection* reference = image.section(".rocm_kpack_ref")) {
        out.inside(".rocm_kpack_ref", [&] {
            read_kpack_reference(image.content(*reference), out);
        });
    }
    read_sycl_sections(image, out);
    out.inside("host side", [&] { read_host_kernels(image, out); });
}

}  // namespace wheelforge::wheel
