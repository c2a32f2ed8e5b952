// SPDX-License-Identifier: Apache-2.0
// What the checks and reports need to know of a host ELF file, copied out of it, so that the bytes
// need not stay in memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wheel/elf.hpp"

namespace wheelforge::wheel {

struct UndefinedSymbol {
    std::string name;
    std::string version;  ///< "GLIBC_2.34"
    std::string library;  ///< the library that must define it in this version
    bool weak = false;
};

struct VersionNeed {
    std::string library;
    std::string version;
};

struct ElfFacts {
    bool is_64 = true;
    bool big_endian = false;
    std::uint16_t machine = 0;
    std::string type;  ///< "shared", "executable", "object", "core"
    std::string soname;
    std::vector<std::string> needed;
    std::optional<std::string> rpath;
    std::optional<std::string> runpath;
    std::vector<VersionNeed> version_needs;
    std::vector<UndefinedSymbol> undefined;
    std::vector<std::string> exported;            ///< sorted
    std::vector<std::string> exported_versioned;  ///< "name@VERSION", sorted
    bool dynamic = false;
    bool executable_stack = false;  ///< PT_GNU_STACK is absent or executable
    bool stack_header_missing = false;
    bool text_relocations = false;
    bool relro = false;
    bool bind_now = false;
    bool gnu_hash = false;
    bool has_section_headers = true;
    std::uint64_t debug_bytes = 0;                       ///< .debug_* and .symtab/.strtab
    std::uint64_t code_bytes = 0;                        ///< executable sections
    std::map<std::string, std::uint64_t> section_bytes;  ///< by name, in the file
    std::string build_id;

    [[nodiscard]] bool exports(std::string_view name) const;
    [[nodiscard]] bool exports(std::string_view name, std::string_view version) const;
    /// Highest version of a family: ("GLIBC") -> "2.34"; "" if none is required.
    [[nodiscard]] std::string highest(std::string_view family) const;
};

[[nodiscard]] ElfFacts elf_facts(const ElfImage& image);

/// "x86_64", "aarch64", "ppc64le", "s390x", ... as platform tags spell it.
[[nodiscard]] std::string machine_name(const ElfFacts& facts);

/// Compares "2.9" and "2.17" by their numbers.
[[nodiscard]] bool version_less(std::string_view a, std::string_view b);

}  // namespace wheelforge::wheel
