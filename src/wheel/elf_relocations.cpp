// SPDX-License-Identifier: Apache-2.0
// Where the file stores addresses of itself: relative relocations, and absolute ones to symbols
// that it defines. RELA keeps the addend beside, REL and RELR in the place that is relocated.
#include <algorithm>

#include "wheel/elf.hpp"
#include "wheel/elf_dynamic.hpp"

namespace wheelforge::wheel {

namespace {

using elf::DynamicTag;

/// R_<machine>_RELATIVE, and the one that writes the full address of a symbol.
struct PointerTypes {
    std::uint32_t relative = 0;
    std::uint32_t absolute = 0;
};

std::optional<PointerTypes> pointer_types(std::uint16_t machine) {
    switch (machine) {
    case elf::machine_x86_64:
    case elf::machine_386:
        return PointerTypes{8, 1};
    case elf::machine_aarch64:
        return PointerTypes{1027, 257};
    case elf::machine_ppc64:
        return PointerTypes{22, 38};
    case elf::machine_s390:
        return PointerTypes{12, 22};
    case elf::machine_riscv:
        return PointerTypes{3, 2};
    case elf::machine_arm:
        return PointerTypes{23, 2};
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

/// Reads entries of one table; symbols are read when the first absolute relocation needs them.
class TableReader {
public:
    TableReader(const ElfImage& image, std::vector<ElfRelocation>& out)
        : image_(image), types_(pointer_types(image.machine())), out_(out) {}

    void read(ByteView table, bool with_addend) {
        const std::uint64_t width = image_.is_64() ? 8 : 4;
        const std::uint64_t size = (with_addend ? 3 : 2) * width;
        for (std::uint64_t at = 0; types_ && at + size <= table.size(); at += size) {
            const std::uint64_t where = word(image_, table, at);
            const std::uint64_t info = word(image_, table, at + width);
            const auto addend = [&] {
                return with_addend ? word(image_, table, at + 2 * width) : in_place(image_, where);
            };
            const std::uint64_t type = image_.is_64() ? info & 0xffffffffU : info & 0xffU;
            if (type == types_->relative) {
                out_.push_back({where, addend()});
            } else if (type == types_->absolute) {
                add_absolute(where, info >> (image_.is_64() ? 32U : 8U), addend());
            }
        }
    }

private:
    void add_absolute(std::uint64_t where, std::uint64_t symbol, std::uint64_t addend) {
        if (!symbols_) {
            symbols_ = image_.dynamic_symbols();
        }
        if (symbol < symbols_->size() && (*symbols_)[symbol].defined()) {
            out_.push_back({where, (*symbols_)[symbol].value + addend});
        }
    }

    const ElfImage& image_;
    std::optional<PointerTypes> types_;
    std::vector<ElfRelocation>& out_;
    std::optional<std::vector<ElfSymbol>> symbols_;
};

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

std::vector<ElfRelocation> ElfImage::pointers() const {
    const elf::DynamicTable table = elf::dynamic_table(*this);
    std::vector<ElfRelocation> result;
    TableReader reader(*this, result);
    reader.read(elf::table_at(*this, table, DynamicTag::rela, DynamicTag::rela_size), true);
    reader.read(elf::table_at(*this, table, DynamicTag::rel, DynamicTag::rel_size), false);
    read_relr(*this, elf::table_at(*this, table, DynamicTag::relr, DynamicTag::relr_size), result);
    std::sort(result.begin(), result.end(), [](const ElfRelocation& a, const ElfRelocation& b) {
        return a.where < b.where;
    });
    return result;
}

}  // namespace wheelforge::wheel
