// SPDX-License-Identifier: Apache-2.0
// ELF files (System V gABI), 32 and 64 bit, both byte orders, read without trusting a byte.
//
// Section headers may be gone (stripped): what the dynamic loader needs is then found through
// PT_DYNAMIC and PT_LOAD, as the loader itself does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/byte_view.hpp"

namespace wheelforge::wheel {

namespace elf {
inline constexpr std::uint16_t machine_386 = 3;
inline constexpr std::uint16_t machine_ppc64 = 21;
inline constexpr std::uint16_t machine_s390 = 22;
inline constexpr std::uint16_t machine_arm = 40;
inline constexpr std::uint16_t machine_x86_64 = 62;
inline constexpr std::uint16_t machine_aarch64 = 183;
inline constexpr std::uint16_t machine_cuda = 190;
inline constexpr std::uint16_t machine_amdgpu = 224;
inline constexpr std::uint16_t machine_riscv = 243;
inline constexpr std::uint8_t symbol_object = 1;
inline constexpr std::uint8_t symbol_function = 2;
inline constexpr std::uint8_t bind_local = 0;
inline constexpr std::uint8_t bind_weak = 2;
inline constexpr std::uint32_t segment_load = 1;
inline constexpr std::uint32_t segment_dynamic = 2;
inline constexpr std::uint32_t segment_note = 4;
inline constexpr std::uint32_t segment_gnu_stack = 0x6474e551;
inline constexpr std::uint32_t segment_gnu_relro = 0x6474e552;
inline constexpr std::uint32_t section_symbols = 2;
inline constexpr std::uint32_t section_note = 7;
inline constexpr std::uint32_t section_nobits = 8;
inline constexpr std::uint32_t section_dynamic_symbols = 11;
inline constexpr std::uint64_t flag_allocated = 2;
}  // namespace elf

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t entry_size = 0;
};

struct ElfSegment {
    std::uint32_t type = 0;
    std::uint32_t flags = 0;  ///< 1 execute, 2 write, 4 read
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t file_size = 0;
    std::uint64_t memory_size = 0;
};

struct ElfSymbol {
    std::string_view name;
    std::string_view version;       ///< "GLIBC_2.14", required or defined; dynamic symbols only
    std::string_view version_file;  ///< "libc.so.6" where the version is required from a library
    std::uint64_t value = 0;
    std::uint64_t size = 0;
    std::uint16_t section = 0;  ///< 0: undefined
    std::uint8_t type = 0;
    std::uint8_t binding = 0;
    std::uint8_t other = 0;
    [[nodiscard]] bool defined() const noexcept { return section != 0; }
    [[nodiscard]] bool hidden() const noexcept { return (other & 3U) == 1 || (other & 3U) == 2; }
};

struct ElfNote {
    std::string_view name;
    std::uint32_t type = 0;
    ByteView content;
};

/// The parts of the dynamic section that say how the file is loaded.
struct ElfDynamic {
    bool present = false;
    std::vector<std::string_view> needed;
    std::string_view soname;
    std::optional<std::string_view> rpath;
    std::optional<std::string_view> runpath;
    bool text_relocations = false;
    bool bind_now = false;
    bool gnu_hash = false;
    bool sysv_hash = false;
};

/// A version a file requires of a library: {"libc.so.6", "GLIBC_2.34"}.
struct ElfVersionNeed {
    std::string_view file;
    std::string_view version;
    bool weak = false;
};

/// "At `where` the loader writes the address `target`", of this file (relative relocations) or of a
/// symbol of this file (absolute ones).
struct ElfRelocation {
    std::uint64_t where = 0;
    std::uint64_t target = 0;
};

class ElfImage {
public:
    [[nodiscard]] static bool is_elf(ByteView bytes) noexcept;
    /// Reads header, sections and segments. Throws ReadError.
    explicit ElfImage(ByteView file);

    [[nodiscard]] bool is_64() const noexcept { return is_64_; }
    [[nodiscard]] Endian endian() const noexcept { return file_.endian(); }
    [[nodiscard]] std::uint8_t os_abi() const { return file_.u8(7); }
    [[nodiscard]] std::uint8_t abi_version() const { return file_.u8(8); }
    [[nodiscard]] std::uint16_t type() const { return file_.u16(16); }
    [[nodiscard]] std::uint16_t machine() const { return file_.u16(18); }
    [[nodiscard]] std::uint32_t flags() const { return file_.u32(is_64_ ? 48 : 36); }
    [[nodiscard]] ByteView file() const noexcept { return file_; }

    [[nodiscard]] const std::vector<ElfSection>& sections() const noexcept { return sections_; }
    [[nodiscard]] const std::vector<ElfSegment>& segments() const noexcept { return segments_; }
    [[nodiscard]] const ElfSection* section(std::string_view name) const noexcept;
    [[nodiscard]] const ElfSegment* segment(std::uint32_t type) const noexcept;
    /// Content of a section; empty for SHT_NOBITS. Throws ReadError when it lies outside.
    [[nodiscard]] ByteView content(const ElfSection& section) const;
    /// `length` bytes of the loaded image at `address`, as far as they are backed by the file.
    [[nodiscard]] std::optional<ByteView>
    at_address(std::uint64_t address, std::uint64_t length) const;
    [[nodiscard]] bool is_executable(std::uint64_t address) const noexcept;

    /// .symtab, or .dynsym where there is none.
    [[nodiscard]] std::vector<ElfSymbol> symbols() const;
    /// What takes part in dynamic linking, with versions.
    [[nodiscard]] std::vector<ElfSymbol> dynamic_symbols() const;
    [[nodiscard]] ElfDynamic dynamic() const;
    [[nodiscard]] std::vector<ElfVersionNeed> version_needs() const;
    [[nodiscard]] std::vector<ElfNote> notes() const;
    /// Where the file stores addresses of itself, by `where`: relative relocations (RELA with
    /// addend, REL and RELR with the addend in place) and absolute ones to its own symbols.
    [[nodiscard]] std::vector<ElfRelocation> pointers() const;

private:
    void read_sections();
    void read_segments();
    void name_sections(const std::vector<std::uint32_t>& names, std::uint32_t strings_index);

    ByteView file_;
    bool is_64_ = true;
    std::vector<ElfSection> sections_;
    std::vector<ElfSegment> segments_;
};

}  // namespace wheelforge::wheel
