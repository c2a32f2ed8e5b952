// SPDX-License-Identifier: Apache-2.0
#include "wheel/elf.hpp"

#include <algorithm>

namespace wheelforge::wheel {

namespace {

constexpr std::string_view elf_magic = "\x7f"
                                       "ELF";

Endian byte_order(ByteView file) {
    switch (file.u8(5)) {
    case 1:
        return Endian::little;
    case 2:
        return Endian::big;
    default:
        throw ReadError("ELF with an unknown byte order");
    }
}

bool word_size_64(ByteView file) {
    switch (file.u8(4)) {
    case 1:
        return false;
    case 2:
        return true;
    default:
        throw ReadError("ELF of an unknown class");
    }
}

std::uint64_t word(ByteView view, std::uint64_t offset, bool is_64) {
    return is_64 ? view.u64(offset) : view.u32(offset);
}

ElfSection read_section(ByteView entry, bool is_64) {
    ElfSection section;
    const std::uint64_t step = is_64 ? 8 : 4;
    section.type = entry.u32(4);
    section.flags = word(entry, 8, is_64);
    section.address = word(entry, 8 + step, is_64);
    section.offset = word(entry, 8 + 2 * step, is_64);
    section.size = word(entry, 8 + 3 * step, is_64);
    section.link = entry.u32(8 + 4 * step);
    section.info = entry.u32(12 + 4 * step);
    section.entry_size = word(entry, 16 + 5 * step, is_64);
    return section;
}

ElfSegment read_segment(ByteView entry, bool is_64) {
    ElfSegment segment;
    segment.type = entry.u32(0);
    segment.flags = entry.u32(is_64 ? 4 : 24);
    segment.offset = word(entry, is_64 ? 8 : 4, is_64);
    segment.address = word(entry, is_64 ? 16 : 8, is_64);
    segment.file_size = word(entry, is_64 ? 32 : 16, is_64);
    segment.memory_size = word(entry, is_64 ? 40 : 20, is_64);
    return segment;
}

}  // namespace

bool ElfImage::is_elf(ByteView bytes) noexcept {
    return bytes.has(elf_magic);
}

ElfImage::ElfImage(ByteView file) : file_(file) {
    if (!is_elf(file)) {
        throw ReadError("not an ELF file");
    }
    is_64_ = word_size_64(file);
    file_ = file.as(byte_order(file));
    read_segments();
    read_sections();
}

void ElfImage::read_sections() {
    const std::uint64_t table = word(file_, is_64_ ? 40 : 32, is_64_);
    const std::uint64_t entry_size = file_.u16(is_64_ ? 58 : 46);
    std::uint64_t count = file_.u16(is_64_ ? 60 : 48);
    std::uint32_t strings_index = file_.u16(is_64_ ? 62 : 50);
    if (table == 0) {
        return;
    }
    const std::uint64_t least = is_64_ ? 64 : 40;
    if (entry_size < least) {
        throw ReadError("section headers of " + std::to_string(entry_size) + " bytes");
    }
    // With 0xff00 sections or more, the first header holds what does not fit into the ELF header.
    const ElfSection first = read_section(file_.sub(table, least), is_64_);
    count = count == 0 ? first.size : count;
    strings_index = strings_index == 0xffff ? first.link : strings_index;
    if (count > file_.size() / entry_size) {
        throw ReadError("more section headers than fit into the file");
    }
    std::vector<std::uint32_t> names;
    for (std::uint64_t i = 0; i < count; ++i) {
        const ByteView entry = file_.sub(table + i * entry_size, least);
        names.push_back(entry.u32(0));
        sections_.push_back(read_section(entry, is_64_));
    }
    name_sections(names, strings_index);
}

void ElfImage::name_sections(const std::vector<std::uint32_t>& names, std::uint32_t strings_index) {
    if (strings_index == 0 || strings_index >= sections_.size()) {
        return;
    }
    StringTable strings(content(sections_[strings_index]));
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        sections_[i].name = strings.at(names[i]);
    }
}

void ElfImage::read_segments() {
    const std::uint64_t table = word(file_, is_64_ ? 32 : 28, is_64_);
    const std::uint64_t entry_size = file_.u16(is_64_ ? 54 : 42);
    const std::uint64_t count = file_.u16(is_64_ ? 56 : 44);
    if (table == 0 || count == 0) {
        return;
    }
    const std::uint64_t least = is_64_ ? 56 : 32;
    constexpr std::uint64_t most = 256;  // a linker writes about a dozen
    if (count > most) {
        throw ReadError("more than 256 program headers");
    }
    if (entry_size < least) {
        throw ReadError("program headers of " + std::to_string(entry_size) + " bytes");
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        segments_.push_back(read_segment(file_.sub(table + i * entry_size, least), is_64_));
    }
}

const ElfSection* ElfImage::section(std::string_view name) const noexcept {
    const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const ElfSection& s) {
        return s.name == name;
    });
    return found == sections_.end() ? nullptr : &*found;
}

const ElfSegment* ElfImage::segment(std::uint32_t type) const noexcept {
    const auto found = std::find_if(segments_.begin(), segments_.end(), [&](const ElfSegment& s) {
        return s.type == type;
    });
    return found == segments_.end() ? nullptr : &*found;
}

ByteView ElfImage::content(const ElfSection& section) const {
    if (section.type == elf::section_nobits) {
        return ByteView({}, file_.endian());
    }
    return file_.sub(section.offset, section.size);
}

std::optional<ByteView> ElfImage::at_address(std::uint64_t address, std::uint64_t length) const {
    for (const ElfSegment& segment : segments_) {
        const std::uint64_t inside = address - segment.address;
        if (segment.type == elf::segment_load && address >= segment.address
            && inside < segment.file_size && length <= segment.file_size - inside
            && segment.offset <= file_.size() && inside <= file_.size() - segment.offset
            && length <= file_.size() - segment.offset - inside) {
            return file_.sub(segment.offset + inside, length);
        }
    }
    return std::nullopt;
}

bool ElfImage::is_executable(std::uint64_t address) const noexcept {
    return std::any_of(segments_.begin(), segments_.end(), [&](const ElfSegment& segment) {
        return segment.type == elf::segment_load && (segment.flags & 1U) != 0
               && address >= segment.address && address - segment.address < segment.memory_size;
    });
}

namespace {

constexpr std::size_t most_notes = 65536;

void read_notes(ByteView place, std::vector<ElfNote>& notes) {
    std::uint64_t at = 0;
    while (at + 12 <= place.size() && notes.size() < most_notes) {
        const std::uint64_t name_size = place.u32(at);
        const std::uint64_t content_size = place.u32(at + 4);
        const std::uint64_t name_at = at + 12;
        const std::uint64_t content_at = name_at + (name_size + 3) / 4 * 4;
        std::string_view name = place.sub(name_at, name_size).text();
        name = name.substr(0, name.find('\0'));
        notes.push_back({name, place.u32(at + 8), place.sub(content_at, content_size)});
        at = content_at + (content_size + 3) / 4 * 4;
    }
}

}  // namespace

std::vector<ElfNote> ElfImage::notes() const {
    std::vector<ElfNote> notes;
    for (const ElfSection& section : sections_) {
        if (section.type == elf::section_note) {
            read_notes(content(section), notes);
        }
    }
    for (const ElfSegment& segment : segments_) {
        if (sections_.empty() && segment.type == elf::segment_note) {
            read_notes(file_.sub(segment.offset, segment.file_size), notes);
        }
    }
    return notes;
}

}  // namespace wheelforge::wheel
