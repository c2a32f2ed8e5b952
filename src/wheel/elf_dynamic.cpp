// SPDX-License-Identifier: Apache-2.0
#include "wheel/elf_dynamic.hpp"

#include <algorithm>

namespace wheelforge::wheel {

namespace elf {

namespace {

/// Entries of a GNU hash table end with a chain whose last word has bit 0 set: the symbol count is
/// the index after the longest chain.
std::uint64_t count_by_gnu_hash(const ElfImage& image, std::uint64_t address) {
    const ByteView table = rest_of_segment(image, address);
    const std::uint64_t buckets = table.u32(0);
    const std::uint64_t first_symbol = table.u32(4);
    const std::uint64_t bloom_words = table.u32(8);
    const std::uint64_t buckets_at = 16 + bloom_words * (image.is_64() ? 8 : 4);
    std::uint64_t last = 0;
    const ByteView bucket_words = table.sub(buckets_at, buckets * 4);
    for (std::uint64_t i = 0; i < buckets; ++i) {
        last = std::max<std::uint64_t>(last, bucket_words.u32(i * 4));
    }
    if (last < first_symbol) {
        return first_symbol;
    }
    const ByteView chains = table.from(buckets_at + buckets * 4);
    while ((chains.u32((last - first_symbol) * 4) & 1U) == 0) {
        ++last;
    }
    return last + 1;
}

}  // namespace

ByteView rest_of_segment(const ElfImage& image, std::uint64_t address) {
    for (const ElfSegment& segment : image.segments()) {
        if (segment.type == segment_load && address >= segment.address
            && address - segment.address < segment.file_size) {
            const std::uint64_t inside = address - segment.address;
            return image.file().sub(segment.offset, segment.file_size).from(inside);
        }
    }
    throw ReadError("an address of the dynamic section lies outside of the file");
}

DynamicTable dynamic_table(const ElfImage& image) {
    const ElfSegment* segment = image.segment(segment_dynamic);
    DynamicTable table;
    if (segment == nullptr) {
        return table;
    }
    const ByteView bytes = image.file().sub(segment->offset, segment->file_size);
    const std::uint64_t width = image.is_64() ? 8 : 4;
    for (std::uint64_t at = 0; at + 2 * width <= bytes.size(); at += 2 * width) {
        const std::uint64_t tag = image.is_64() ? bytes.u64(at) : bytes.u32(at);
        if (tag == 0) {
            break;
        }
        table.emplace_back(tag, image.is_64() ? bytes.u64(at + 8) : bytes.u32(at + 4));
    }
    return table;
}

std::optional<std::uint64_t> find(const DynamicTable& table, DynamicTag tag) {
    for (const auto& [key, value] : table) {
        if (key == static_cast<std::uint64_t>(tag)) {
            return value;
        }
    }
    return std::nullopt;
}

ByteView
table_at(const ElfImage& image, const DynamicTable& table, DynamicTag tag, DynamicTag size_tag) {
    const auto address = find(table, tag);
    const auto size = find(table, size_tag);
    if (!address || !size || *size == 0) {
        return ByteView({}, image.endian());
    }
    return rest_of_segment(image, *address).sub(0, *size);
}

ByteView dynamic_strings(const ElfImage& image, const DynamicTable& table) {
    return table_at(image, table, DynamicTag::strings, DynamicTag::strings_size);
}

std::uint64_t dynamic_symbol_count(const ElfImage& image, const DynamicTable& table) {
    if (const auto address = find(table, DynamicTag::hash)) {
        // s390x and alpha use 8-byte words here; the count then stands in the second word.
        const bool wide = image.is_64() && image.machine() == machine_s390;
        const ByteView words = rest_of_segment(image, *address);
        return wide ? words.u64(8) : words.u32(4);
    }
    if (const auto address = find(table, DynamicTag::gnu_hash)) {
        return count_by_gnu_hash(image, *address);
    }
    return 0;
}

}  // namespace elf

ElfDynamic ElfImage::dynamic() const {
    using elf::DynamicTag;
    constexpr std::uint64_t flag_text_relocations = 4;
    constexpr std::uint64_t flag_bind_now = 8;
    constexpr std::uint64_t flag_1_now = 1;
    const elf::DynamicTable table = elf::dynamic_table(*this);
    StringTable strings(elf::dynamic_strings(*this, table));
    ElfDynamic result;
    result.present = !table.empty();
    for (const auto& [tag, value] : table) {
        switch (static_cast<DynamicTag>(tag)) {
        case DynamicTag::needed:
            result.needed.push_back(strings.at(value));
            break;
        case DynamicTag::soname:
            result.soname = strings.at(value);
            break;
        case DynamicTag::rpath:
            result.rpath = strings.at(value);
            break;
        case DynamicTag::runpath:
            result.runpath = strings.at(value);
            break;
        case DynamicTag::text_relocations:
            result.text_relocations = true;
            break;
        case DynamicTag::bind_now:
            result.bind_now = true;
            break;
        case DynamicTag::flags:
            result.text_relocations |= (value & flag_text_relocations) != 0;
            result.bind_now |= (value & flag_bind_now) != 0;
            break;
        case DynamicTag::flags_1:
            result.bind_now |= (value & flag_1_now) != 0;
            break;
        case DynamicTag::gnu_hash:
            result.gnu_hash = true;
            break;
        case DynamicTag::hash:
            result.sysv_hash = true;
            break;
        default:
            break;
        }
    }
    return result;
}

}  // namespace wheelforge::wheel
