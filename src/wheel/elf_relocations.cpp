// SPDX-License-Identifier: Apache-2.0
// Relative relocations: where the file stores addresses of itself. RELA keeps the address in the
// addend, REL and RELR in the place that is relocated.
#include <algorithm>

#include "wheel/elf.hpp"
#include "wheel/elf_dynamic.hpp"

namespace wheelforge::wheel {

namespace {

using elf::DynamicTag;

/// R_<machine>_RELATIVE.
std::optional<std::uint32_t> relative_type(std::uint16_t machine) {
    switch (machine) {
    case elf::machine_x86_64:
    case elf::machine_386:
        return 8;
    case elf::machine_aarch64:
        return 1027;
    case elf::machine_ppc64:
        return 22;
    case elf::machine_s390:
        return 12;
    case elf::machine_riscv:
        return 3;
    case elf::machine_arm:
        return 23;
    default:
        return std::nullopt;
    }
}

std::uint64_t word(const ElfImage& image, ByteView view, std::uint64_t offset) {
    return image.is_64() ? view.u64(offset) : view.u32(offset);
}

std::uint64_t in_place(const ElfImage& image, std::uint64_t where) {
    const auto bytes = image.at_address(where, image.is_64() ? 8 : 4);
    return bytes ? word(image, *bytes, 0) : 0;
}

bool is_relative(const ElfImage& image, std::uint64_t info, std::uint32_t wanted) {
    return (image.is_64() ? info & 0xffffffffU : info & 0xffU) == wanted;
}

void read_rela(const ElfImage& image, ByteView table, std::vector<ElfRelocation>& out) {
    const auto wanted = relative_type(image.machine());
    const std::uint64_t width = image.is_64() ? 8 : 4;
    for (std::uint64_t at = 0; wanted && at + 3 * width <= table.size(); at += 3 * width) {
        if (is_relative(image, word(image, table, at + width), *wanted)) {
            out.push_back({word(image, table, at), word(image, table, at + 2 * width)});
        }
    }
}

void read_rel(const ElfImage& image, ByteView table, std::vector<ElfRelocation>& out) {
    const auto wanted = relative_type(image.machine());
    const std::uint64_t width = image.is_64() ? 8 : 4;
    for (std::uint64_t at = 0; wanted && at + 2 * width <= table.size(); at += 2 * width) {
        if (is_relative(image, word(image, table, at + width), *wanted)) {
            const std::uint64_t where = word(image, table, at);
            out.push_back({where, in_place(image, where)});
        }
    }
}

/// RELR: an even word is an address; an odd one is a bitmap over the words after the last address.
void read_relr(const ElfImage& image, ByteView table, std::vector<ElfRelocation>& out) {
    const std::uint64_t width = image.is_64() ? 8 : 4;
    std::uint64_t next = 0;
    for (std::uint64_t at = 0; at + width <= table.size(); at += width) {
        const std::uint64_t entry = word(image, table, at);
        if ((entry & 1U) == 0) {
            out.push_back({entry, in_place(image, entry)});
            next = entry + width;
            continue;
        }
        if (out.size() > image.file().size()) {
            throw ReadError("more relocations than bytes in the file");
        }
        for (unsigned bit = 1; bit < 8 * width; ++bit) {
            const std::uint64_t where = next + (bit - 1) * width;
            if (((entry >> bit) & 1U) != 0) {
                out.push_back({where, in_place(image, where)});
            }
        }
        next += (8 * width - 1) * width;
    }
}

}  // namespace

std::vector<ElfRelocation> ElfImage::relative_relocations() const {
    const elf::DynamicTable table = elf::dynamic_table(*this);
    std::vector<ElfRelocation> result;
    read_rela(*this, elf::table_at(*this, table, DynamicTag::rela, DynamicTag::rela_size), result);
    read_rel(*this, elf::table_at(*this, table, DynamicTag::rel, DynamicTag::rel_size), result);
    read_relr(*this, elf::table_at(*this, table, DynamicTag::relr, DynamicTag::relr_size), result);
    std::sort(result.begin(), result.end(), [](const ElfRelocation& a, const ElfRelocation& b) {
        return a.where < b.where;
    });
    return result;
}

}  // namespace wheelforge::wheel
