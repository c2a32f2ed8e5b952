// SPDX-License-Identifier: Apache-2.0
// ELF files for tests, of either class and byte order. Addresses equal file offsets: one segment
// maps the whole file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace wheelforge::support {

struct ElfSectionSpec {
    std::string name;
    std::string content = {};
    std::uint32_t type = 1;   ///< PROGBITS
    std::uint64_t flags = 2;  ///< allocated
    std::uint64_t alignment = 8;
    std::uint32_t link = 0;
    std::uint64_t entry_size = 0;
    std::uint64_t offset = 0;  ///< filled in while building
};

struct ElfSymbolSpec {
    std::string name;
    std::string section = {};  ///< "" for undefined
    std::uint64_t offset = 0;  ///< in its section
    std::uint64_t size = 0;
    std::uint8_t type = 2;     ///< function
    std::uint8_t binding = 1;  ///< global
    std::uint8_t other = 0;
    std::string version = {};  ///< of undefined symbols: "GLIBC_2.34"
    std::string library = {};  ///< ... and the library that has it
};

/// "The word at `offset` of `section` points to `target_offset` of `target`."
struct ElfPointerSpec {
    std::string section;
    std::uint64_t offset = 0;
    std::string target;
    std::uint64_t target_offset = 0;
};

class ElfBuilder {
public:
    explicit ElfBuilder(std::uint16_t machine = 62, bool is_64 = true, bool big = false)
        : machine_(machine), is_64_(is_64), big_(big) {}

    std::uint16_t type = 3;  ///< shared object
    std::uint8_t os_abi = 0;
    std::uint8_t abi_version = 0;
    std::uint32_t flags = 0;
    bool symbols_by_section = false;  ///< symbol values are offsets in their section
    bool section_headers = true;
    bool dynamic_section = true;
    bool executable_stack = false;
    bool stack_header = true;
    bool relro = true;
    std::vector<std::string> needed;
    std::string soname;
    std::string runpath;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> dynamic_tags;
    std::vector<ElfSymbolSpec> symbols;          ///< of .symtab; none: stripped
    std::vector<ElfSymbolSpec> dynamic_symbols;  ///< of .dynsym
    std::vector<ElfPointerSpec> pointers;        ///< relative relocations

    ElfBuilder& section(ElfSectionSpec spec) {
        sections_.push_back(std::move(spec));
        return *this;
    }

    [[nodiscard]] std::string bytes() {
        out_.assign(header_size() + segment_count() * segment_size(), '\0');
        std::vector<ElfSectionSpec> sections = sections_;
        for (ElfSectionSpec& one : sections) {
            place(one);
        }
        placed_ = std::move(sections);
        if (dynamic_section) {
            add_dynamic();
        }
        if (!symbols.empty()) {
            add_symbols(".symtab", ".strtab", 2, symbols, 0);
        }
        write_sections();
        write_segments();
        write_header();
        return std::move(out_);
    }

    void put(std::string& out, std::uint64_t value, unsigned width) const {
        for (unsigned i = 0; i < width; ++i) {
            const unsigned place = big_ ? width - 1 - i : i;
            out.push_back(static_cast<char>(value >> (8 * place) & 0xffU));
        }
    }
    void word(std::string& out, std::uint64_t value) const { put(out, value, is_64_ ? 8 : 4); }

private:
    [[nodiscard]] std::size_t header_size() const { return is_64_ ? 64 : 52; }
    [[nodiscard]] std::size_t segment_size() const { return is_64_ ? 56 : 32; }
    [[nodiscard]] std::size_t segment_count() const {
        return 1U + (dynamic_section ? 1U : 0U) + (stack_header ? 1U : 0U) + (relro ? 1U : 0U);
    }

    void place(ElfSectionSpec& one) {
        while (out_.size() % one.alignment != 0) {
            out_.push_back('\0');
        }
        one.offset = out_.size();
        out_ += one.content;
    }
    std::size_t append(ElfSectionSpec one) {
        place(one);
        placed_.push_back(std::move(one));
        return placed_.size();  // index with the null section before
    }
    [[nodiscard]] const ElfSectionSpec& named(const std::string& name) const {
        for (const ElfSectionSpec& one : placed_) {
            if (one.name == name) {
                return one;
            }
        }
        throw std::logic_error("no section " + name);
    }
    [[nodiscard]] std::size_t index_of(const std::string& name) const {
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            if (placed_[i].name == name) {
                return i + 1;
            }
        }
        throw std::logic_error("no section " + name);
    }

    std::uint32_t intern(std::string& strings, const std::string& text) const {
        const auto at = static_cast<std::uint32_t>(strings.size());
        strings += text + '\0';
        return at;
    }

    void put_symbol(std::string& out, const ElfSymbolSpec& symbol, std::uint32_t name) const {
        const bool at_zero = symbol.section.empty() || symbols_by_section;
        const std::uint64_t base = at_zero ? 0 : named(symbol.section).offset;
        const std::uint64_t section = symbol.section.empty() ? 0 : index_of(symbol.section);
        const std::uint64_t info = static_cast<std::uint64_t>(symbol.binding) << 4U | symbol.type;
        put(out, name, 4);
        if (is_64_) {
            put(out, info, 1);
            put(out, symbol.other, 1);
            put(out, section, 2);
            put(out, base + symbol.offset, 8);
            put(out, symbol.size, 8);
        } else {
            put(out, base + symbol.offset, 4);
            put(out, symbol.size, 4);
            put(out, info, 1);
            put(out, symbol.other, 1);
            put(out, section, 2);
        }
    }

    void add_symbols(
        const std::string& name,
        const std::string& strings_name,
        std::uint32_t kind,
        const std::vector<ElfSymbolSpec>& list,
        std::uint64_t section_flags
    ) {
        std::string strings(1, '\0');
        std::string table(is_64_ ? 24 : 16, '\0');
        for (const ElfSymbolSpec& symbol : list) {
            const std::uint32_t at = intern(strings, symbol.name);
            put_symbol(table, symbol, at);
        }
        if (name == ".dynsym") {
            dynamic_strings_ = strings;
            append({name, table, kind, section_flags, 8, 0, is_64_ ? 24ULL : 16ULL});
            return;
        }
        const std::size_t link = append({strings_name, strings, 3, section_flags, 1});
        append(
            {name,
             table,
             kind,
             section_flags,
             8,
             static_cast<std::uint32_t>(link),
             is_64_ ? 24ULL : 16ULL}
        );
    }

    /// .gnu.version and .gnu.version_r for the versions that dynamic symbols ask for.
    void add_versions(std::string& tags_out, std::string& strings) {
        std::map<std::string, std::vector<std::string>> by_library;
        for (const ElfSymbolSpec& symbol : dynamic_symbols) {
            auto& versions = by_library[symbol.library];
            const bool known =
                std::find(versions.begin(), versions.end(), symbol.version) != versions.end();
            if (!symbol.version.empty() && !known) {
                versions.push_back(symbol.version);
            }
        }
        std::erase_if(by_library, [](const auto& entry) { return entry.second.empty(); });
        if (by_library.empty()) {
            return;
        }
        std::map<std::string, std::uint16_t> index;
        std::string needs;
        std::uint16_t next = 2;
        std::size_t left = by_library.size();
        for (const auto& [library, versions] : by_library) {
            --left;
            put(needs, 1, 2);
            put(needs, versions.size(), 2);
            put(needs, intern(strings, library), 4);
            put(needs, 16, 4);
            put(needs, left == 0 ? 0 : 16 + 16 * versions.size(), 4);
            for (std::size_t i = 0; i < versions.size(); ++i) {
                put(needs, 0, 4);
                put(needs, 0, 2);
                put(needs, next, 2);
                put(needs, intern(strings, versions[i]), 4);
                put(needs, i + 1 == versions.size() ? 0 : 16, 4);
                index[library + versions[i]] = next++;
            }
        }
        std::string marks(2, '\0');
        for (const ElfSymbolSpec& symbol : dynamic_symbols) {
            put(marks, symbol.version.empty() ? 1 : index[symbol.library + symbol.version], 2);
        }
        append({".gnu.version", marks, 0x6fffffff, 2, 2});
        append({".gnu.version_r", needs, 0x6ffffffe, 2, 8});
        tag(tags_out, 0x6ffffff0, named(".gnu.version").offset);
        tag(tags_out, 0x6ffffffe, named(".gnu.version_r").offset);
        tag(tags_out, 0x6fffffff, by_library.size());
    }

    void add_hash(std::string& tags_out) {
        std::string hash;
        put(hash, 1, 4);
        put(hash, dynamic_symbols.size() + 1, 4);
        for (std::size_t i = 0; i < dynamic_symbols.size() + 2; ++i) {
            put(hash, 0, 4);
        }
        append({".hash", hash, 5, 2, 8});
        tag(tags_out, 4, named(".hash").offset);
    }

    void add_relocations(std::string& tags_out) {
        if (pointers.empty()) {
            return;
        }
        std::string table;
        for (const ElfPointerSpec& pointer : pointers) {
            word(table, named(pointer.section).offset + pointer.offset);
            word(table, 8);  // R_X86_64_RELATIVE
            word(table, named(pointer.target).offset + pointer.target_offset);
        }
        const std::size_t size = table.size();
        append({".rela.dyn", std::move(table), 4, 2, 8});
        tag(tags_out, 7, named(".rela.dyn").offset);
        tag(tags_out, 8, size);
    }

    void tag(std::string& out, std::uint64_t name, std::uint64_t value) const {
        word(out, name);
        word(out, value);
    }

    void add_dynamic() {
        add_symbols(".dynsym", ".dynstr", 11, dynamic_symbols, 2);
        std::string strings = dynamic_strings_;
        std::string tags;
        tag(tags, 6, named(".dynsym").offset);
        add_versions(tags, strings);
        add_hash(tags);
        add_relocations(tags);
        for (const std::string& library : needed) {
            tag(tags, 1, intern(strings, library));
        }
        if (!soname.empty()) {
            tag(tags, 14, intern(strings, soname));
        }
        if (!runpath.empty()) {
            tag(tags, 29, intern(strings, runpath));
        }
        for (const auto& [name, value] : dynamic_tags) {
            tag(tags, name, value);
        }
        const std::size_t link = append({".dynstr", strings, 3, 2, 1});
        for (ElfSectionSpec& one : placed_) {
            one.link = one.name == ".dynsym" ? static_cast<std::uint32_t>(link) : one.link;
        }
        tag(tags, 5, named(".dynstr").offset);
        tag(tags, 10, strings.size());
        tag(tags, 0, 0);
        append({".dynamic", tags, 6, 3, 8});
    }

    void write_sections() {
        std::string names(1, '\0');
        std::vector<std::uint32_t> name_offsets;
        for (const ElfSectionSpec& one : placed_) {
            name_offsets.push_back(intern(names, one.name));
        }
        name_offsets.push_back(intern(names, ".shstrtab"));
        append({".shstrtab", names, 3, 0, 1});
        end_of_content_ = out_.size();
        while (out_.size() % 8 != 0) {
            out_.push_back('\0');
        }
        headers_at_ = section_headers ? out_.size() : 0;
        if (!section_headers) {
            return;
        }
        out_.append(is_64_ ? 64 : 40, '\0');
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            const ElfSectionSpec& one = placed_[i];
            put(out_, name_offsets[i], 4);
            put(out_, one.type, 4);
            word(out_, one.flags);
            word(out_, (one.flags & 2U) != 0 ? one.offset : 0);
            word(out_, one.offset);
            word(out_, one.content.size());
            put(out_, one.link, 4);
            put(out_, 0, 4);
            word(out_, one.alignment);
            word(out_, one.entry_size);
        }
    }

    void put_segment(
        std::string& out,
        std::uint32_t kind,
        std::uint32_t access,
        std::uint64_t offset,
        std::uint64_t size
    ) const {
        put(out, kind, 4);
        if (is_64_) {
            put(out, access, 4);
        }
        for (int i = 0; i < 3; ++i) {
            word(out, offset);
        }
        word(out, size);
        word(out, size);
        if (!is_64_) {
            put(out, access, 4);
        }
        word(out, 1);
    }

    void write_segments() {
        std::string table;
        put_segment(table, 1, 5, 0, end_of_content_);
        if (dynamic_section) {
            const ElfSectionSpec& dynamic = named(".dynamic");
            put_segment(table, 2, 6, dynamic.offset, dynamic.content.size());
        }
        if (stack_header) {
            put_segment(table, 0x6474e551, executable_stack ? 7 : 6, 0, 0);
        }
        if (relro) {
            put_segment(table, 0x6474e552, 4, 0, 0);
        }
        out_.replace(header_size(), table.size(), table);
    }

    void write_header() {
        std::string head = "\x7f"
                           "ELF";
        put(head, is_64_ ? 2 : 1, 1);
        put(head, big_ ? 2 : 1, 1);
        put(head, 1, 1);
        put(head, os_abi, 1);
        put(head, abi_version, 1);
        head.append(7, '\0');
        put(head, type, 2);
        put(head, machine_, 2);
        put(head, 1, 4);
        word(head, 0);
        word(head, header_size());
        word(head, headers_at_);
        put(head, flags, 4);
        put(head, header_size(), 2);
        put(head, segment_size(), 2);
        put(head, segment_count(), 2);
        put(head, is_64_ ? 64 : 40, 2);
        put(head, section_headers ? placed_.size() + 1 : 0, 2);
        put(head, section_headers ? placed_.size() : 0, 2);
        out_.replace(0, head.size(), head);
    }

    std::uint16_t machine_;
    bool is_64_;
    bool big_;
    std::vector<ElfSectionSpec> sections_;
    std::vector<ElfSectionSpec> placed_;
    std::string dynamic_strings_;
    std::string out_;
    std::size_t headers_at_ = 0;
    std::size_t end_of_content_ = 0;
};

}  // namespace wheelforge::support
