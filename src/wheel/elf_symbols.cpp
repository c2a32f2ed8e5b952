// SPDX-License-Identifier: Apache-2.0
// Symbols and their versions (gABI, and the GNU symbol versioning of the LSB).
#include <algorithm>
#include <map>

#include "wheel/elf.hpp"
#include "wheel/elf_dynamic.hpp"

namespace wheelforge::wheel {

namespace {

using elf::DynamicTag;

constexpr std::uint64_t most_versions = 0x8000;  // an index has 15 bits

ElfSymbol read_symbol(ByteView entry, bool is_64) {
    ElfSymbol symbol;
    const std::uint8_t info = entry.u8(is_64 ? 4 : 12);
    symbol.type = info & 0xfU;
    symbol.binding = static_cast<std::uint8_t>(info >> 4U);
    symbol.other = entry.u8(is_64 ? 5 : 13);
    symbol.section = entry.u16(is_64 ? 6 : 14);
    symbol.value = is_64 ? entry.u64(8) : entry.u32(4);
    symbol.size = is_64 ? entry.u64(16) : entry.u32(8);
    return symbol;
}

std::vector<ElfSymbol> read_table(ByteView table, ByteView strings, bool is_64) {
    const std::uint64_t size = is_64 ? 24 : 16;
    std::vector<ElfSymbol> symbols;
    symbols.reserve(table.size() / size);
    StringTable names(strings);
    for (std::uint64_t at = 0; at + size <= table.size(); at += size) {
        const ByteView entry = table.sub(at, size);
        ElfSymbol symbol = read_symbol(entry, is_64);
        symbol.name = names.at(entry.u32(0));
        symbols.push_back(symbol);
    }
    return symbols;
}

std::optional<std::vector<ElfSymbol>> from_section(const ElfImage& image, std::uint32_t type) {
    for (const ElfSection& section : image.sections()) {
        if (section.type == type && section.link < image.sections().size()) {
            const ByteView strings = image.content(image.sections()[section.link]);
            return read_table(image.content(section), strings, image.is_64());
        }
    }
    return std::nullopt;
}

std::vector<ElfSymbol> from_dynamic_table(const ElfImage& image, const elf::DynamicTable& table) {
    const auto address = elf::find(table, DynamicTag::symbols);
    const std::uint64_t count = elf::dynamic_symbol_count(image, table);
    if (!address || count == 0) {
        return {};
    }
    const ByteView rest = elf::rest_of_segment(image, *address);
    const std::uint64_t size = image.is_64() ? 24 : 16;
    if (count > rest.size() / size) {
        throw ReadError("more dynamic symbols than fit into the file");
    }
    return read_table(rest.sub(0, count * size), elf::dynamic_strings(image, table), image.is_64());
}

struct NeededVersion {
    ElfVersionNeed need;
    std::uint16_t index = 0;
};

/// The chain of Verneed records; offsets only go forward, so a cycle cannot be written.
std::vector<NeededVersion>
read_version_needs(const ElfImage& image, const elf::DynamicTable& table) {
    const auto address = elf::find(table, DynamicTag::version_needs);
    const auto count = elf::find(table, DynamicTag::version_needs_count);
    std::vector<NeededVersion> needs;
    if (!address || !count) {
        return needs;
    }
    const ByteView records = elf::rest_of_segment(image, *address);
    StringTable strings(elf::dynamic_strings(image, table));
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < std::min(*count, most_versions); ++i) {
        const std::string_view file = strings.at(records.u32(at + 4));
        std::uint64_t detail = at + records.u32(at + 8);
        for (std::uint16_t left = records.u16(at + 2); left > 0; --left) {
            const bool weak = (records.u16(detail + 4) & 2U) != 0;
            const std::string_view version = strings.at(records.u32(detail + 8));
            needs.push_back({{file, version, weak}, records.u16(detail + 6)});
            if (needs.size() > most_versions) {
                throw ReadError("more required versions than can be numbered");
            }
            detail += records.u32(detail + 12);
        }
        const std::uint32_t next = records.u32(at + 12);
        if (next == 0) {
            break;
        }
        at += next;
    }
    return needs;
}

/// The chain of Verdef records: version names by index.
std::map<std::uint16_t, std::string_view>
read_version_definitions(const ElfImage& image, const elf::DynamicTable& table) {
    const auto address = elf::find(table, DynamicTag::version_definitions);
    const auto count = elf::find(table, DynamicTag::version_definitions_count);
    std::map<std::uint16_t, std::string_view> names;
    if (!address || !count) {
        return names;
    }
    const ByteView records = elf::rest_of_segment(image, *address);
    StringTable strings(elf::dynamic_strings(image, table));
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < std::min(*count, most_versions); ++i) {
        const std::uint64_t detail = at + records.u32(at + 12);
        names.emplace(records.u16(at + 4), strings.at(records.u32(detail)));
        const std::uint32_t next = records.u32(at + 16);
        if (next == 0) {
            break;
        }
        at += next;
    }
    return names;
}

void add_versions(
    const ElfImage& image, const elf::DynamicTable& table, std::vector<ElfSymbol>& symbols
) {
    const auto address = elf::find(table, DynamicTag::version_symbols);
    if (!address) {
        return;
    }
    std::map<std::uint16_t, ElfVersionNeed> by_index;
    for (const auto& [index, name] : read_version_definitions(image, table)) {
        by_index.emplace(index, ElfVersionNeed{"", name, false});
    }
    for (const NeededVersion& needed : read_version_needs(image, table)) {
        by_index.emplace(needed.index, needed.need);
    }
    const ByteView indexes = elf::rest_of_segment(image, *address);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::uint16_t index = indexes.u16(i * 2) & 0x7fffU;
        if (const auto found = by_index.find(index); index > 1 && found != by_index.end()) {
            symbols[i].version = found->second.version;
            symbols[i].version_file = found->second.file;
        }
    }
}

}  // namespace

std::vector<ElfSymbol> ElfImage::symbols() const {
    if (auto symbols = from_section(*this, elf::section_symbols)) {
        return std::move(*symbols);
    }
    return dynamic_symbols();
}

std::vector<ElfSymbol> ElfImage::dynamic_symbols() const {
    const elf::DynamicTable table = elf::dynamic_table(*this);
    auto section = from_section(*this, elf::section_dynamic_symbols);
    std::vector<ElfSymbol> symbols =
        section ? std::move(*section) : from_dynamic_table(*this, table);
    add_versions(*this, table, symbols);
    return symbols;
}

std::vector<ElfVersionNeed> ElfImage::version_needs() const {
    std::vector<ElfVersionNeed> result;
    for (const NeededVersion& needed : read_version_needs(*this, elf::dynamic_table(*this))) {
        result.push_back(needed.need);
    }
    return result;
}

}  // namespace wheelforge::wheel
