// SPDX-License-Identifier: Apache-2.0
// The dynamic section as a table of tags, and the tables it points at. Part of the ELF reader.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "wheel/elf.hpp"

namespace wheelforge::wheel::elf {

enum class DynamicTag : std::uint64_t {
    needed = 1,
    hash = 4,
    strings = 5,
    symbols = 6,
    rela = 7,
    rela_size = 8,
    strings_size = 10,
    soname = 14,
    rpath = 15,
    rel = 17,
    rel_size = 18,
    text_relocations = 22,
    bind_now = 24,
    runpath = 29,
    flags = 30,
    relr_size = 35,
    relr = 36,
    gnu_hash = 0x6ffffef5,
    version_symbols = 0x6ffffff0,
    flags_1 = 0x6ffffffb,
    version_definitions = 0x6ffffffc,
    version_definitions_count = 0x6ffffffd,
    version_needs = 0x6ffffffe,
    version_needs_count = 0x6fffffff,
};

using DynamicTable = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

[[nodiscard]] DynamicTable dynamic_table(const ElfImage& image);
[[nodiscard]] std::optional<std::uint64_t> find(const DynamicTable& table, DynamicTag tag);
/// Dynamic string table; empty without one.
[[nodiscard]] ByteView dynamic_strings(const ElfImage& image, const DynamicTable& table);
/// The table at address `tag` of `size_tag` bytes.
[[nodiscard]] ByteView
table_at(const ElfImage& image, const DynamicTable& table, DynamicTag tag, DynamicTag size_tag);
/// Symbols in the dynamic symbol table, told by the hash tables (gABI: DT_SYMTAB has no size).
[[nodiscard]] std::uint64_t dynamic_symbol_count(const ElfImage& image, const DynamicTable& table);
/// From `address` to the end of its segment in the file.
[[nodiscard]] ByteView rest_of_segment(const ElfImage& image, std::uint64_t address);

}  // namespace wheelforge::wheel::elf
