// SPDX-License-Identifier: Apache-2.0
#include "wheel/elf_facts.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelforge::wheel {

namespace {

std::string type_name(std::uint16_t type) {
    switch (type) {
    case 1:
        return "object";
    case 2:
        return "executable";
    case 3:
        return "shared";
    case 4:
        return "core";
    default:
        return fmt::format("type {}", type);
    }
}

std::optional<std::string> copy(const std::optional<std::string_view>& text) {
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

void add_dynamic(const ElfImage& image, ElfFacts& facts) {
    const ElfDynamic dynamic = image.dynamic();
    facts.dynamic = dynamic.present;
    facts.soname = std::string(dynamic.soname);
    for (const std::string_view needed : dynamic.needed) {
        facts.needed.emplace_back(needed);
    }
    facts.rpath = copy(dynamic.rpath);
    facts.runpath = copy(dynamic.runpath);
    facts.text_relocations = dynamic.text_relocations;
    facts.bind_now = dynamic.bind_now;
    facts.gnu_hash = dynamic.gnu_hash;
    for (const ElfVersionNeed& need : image.version_needs()) {
        facts.version_needs.push_back({std::string(need.file), std::string(need.version)});
    }
}

std::string versioned(std::string_view name, std::string_view version) {
    return fmt::format("{}@{}", name, version);
}

void add_symbols(const ElfImage& image, ElfFacts& facts) {
    for (const ElfSymbol& symbol : image.dynamic_symbols()) {
        if (symbol.name.empty() || symbol.binding == elf::bind_local) {
            continue;
        }
        if (!symbol.defined()) {
            facts.undefined.push_back(
                {std::string(symbol.name),
                 std::string(symbol.version),
                 std::string(symbol.version_file),
                 symbol.binding == elf::bind_weak}
            );
        } else if (!symbol.hidden()) {
            facts.exported.emplace_back(symbol.name);
            if (!symbol.version.empty()) {
                facts.exported_versioned.push_back(versioned(symbol.name, symbol.version));
            }
        }
    }
    std::sort(facts.exported.begin(), facts.exported.end());
    std::sort(facts.exported_versioned.begin(), facts.exported_versioned.end());
}

void add_segments(const ElfImage& image, ElfFacts& facts) {
    const ElfSegment* stack = image.segment(elf::segment_gnu_stack);
    facts.stack_header_missing = stack == nullptr;
    facts.executable_stack = stack == nullptr || (stack->flags & 1U) != 0;
    facts.relro = image.segment(elf::segment_gnu_relro) != nullptr;
}

void add_sections(const ElfImage& image, ElfFacts& facts) {
    constexpr std::uint64_t executable = 4;
    facts.has_section_headers = !image.sections().empty();
    for (const ElfSection& section : image.sections()) {
        if (section.type == elf::section_nobits || section.size == 0) {
            continue;
        }
        facts.section_bytes[printable(section.name)] += section.size;
        const bool is_debug = section.name.starts_with(".debug_") || section.name == ".symtab"
                              || section.name == ".strtab";
        facts.debug_bytes += is_debug ? section.size : 0;
        facts.code_bytes += (section.flags & executable) != 0 ? section.size : 0;
    }
}

void add_build_id(const ElfImage& image, ElfFacts& facts) {
    constexpr std::uint32_t build_id = 3;
    for (const ElfNote& note : image.notes()) {
        if (note.name == "GNU" && note.type == build_id && facts.build_id.empty()) {
            for (const char byte : note.content.text().substr(0, 64)) {
                facts.build_id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
            }
        }
    }
}

}  // namespace

bool ElfFacts::exports(std::string_view name) const {
    return std::binary_search(exported.begin(), exported.end(), name);
}

bool ElfFacts::exports(std::string_view name, std::string_view version) const {
    return std::binary_search(
        exported_versioned.begin(), exported_versioned.end(), versioned(name, version)
    );
}

std::string ElfFacts::highest(std::string_view family) const {
    std::string best;
    for (const VersionNeed& need : version_needs) {
        const std::string_view version = need.version;
        if (version.starts_with(family) && version.size() > family.size()
            && version[family.size()] == '_') {
            const std::string_view number = version.substr(family.size() + 1);
            const bool is_number = !number.empty() && number[0] >= '0' && number[0] <= '9';
            if (is_number && (best.empty() || version_less(best, number))) {
                best = std::string(number);
            }
        }
    }
    return best;
}

ElfFacts elf_facts(const ElfImage& image) {
    ElfFacts facts;
    facts.is_64 = image.is_64();
    facts.big_endian = image.endian() == Endian::big;
    facts.machine = image.machine();
    facts.type = type_name(image.type());
    add_dynamic(image, facts);
    add_symbols(image, facts);
    add_segments(image, facts);
    add_sections(image, facts);
    add_build_id(image, facts);
    return facts;
}

std::string machine_name(const ElfFacts& facts) {
    switch (facts.machine) {
    case elf::machine_386:
        return "i686";
    case elf::machine_ppc64:
        return facts.big_endian ? "ppc64" : "ppc64le";
    case elf::machine_s390:
        return facts.is_64 ? "s390x" : "s390";
    case elf::machine_arm:
        return "armv7l";
    case elf::machine_x86_64:
        return facts.is_64 ? "x86_64" : "x32";
    case elf::machine_aarch64:
        return "aarch64";
    case elf::machine_riscv:
        return facts.is_64 ? "riscv64" : "riscv32";
    default:
        return fmt::format("machine {}", facts.machine);
    }
}

bool version_less(std::string_view a, std::string_view b) {
    const std::vector<std::string_view> left = split(a, '.');
    const std::vector<std::string_view> right = split(b, '.');
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const auto number = [i](const std::vector<std::string_view>& parts) {
            unsigned value = 0;
            if (i < parts.size()) {
                std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), value);
            }
            return value;
        };
        if (number(left) != number(right)) {
            return number(left) < number(right);
        }
    }
    return false;
}

}  // namespace wheelforge::wheel
