// SPDX-License-Identifier: Apache-2.0
// PKWARE APPNOTE 6.3: 4.3.7 local header, 4.3.12 central directory, 4.3.14-16 its end.
#include "index/wheel_tail.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <libdeflate.h>

#include "pep/name.hpp"

namespace wheelforge::index {

namespace {

constexpr std::uint64_t max_directory_bytes = 64U << 20U;
constexpr std::size_t end_size = 22;
constexpr std::size_t end64_size = 56;
constexpr std::size_t locator64_size = 20;
constexpr std::size_t entry_size = 46;
constexpr std::size_t local_size = 30;
/// Local headers may have other extra fields than central ones; 64 KiB is their format's limit.
constexpr std::uint64_t extra_allowance = 512;

/// Little-endian fields of one record; every read is checked.
class Record {
public:
    explicit Record(std::string_view bytes) : bytes_(bytes) {}
    template <typename T>
    [[nodiscard]] T at(std::size_t offset) const {
        T value = 0;
        for (std::size_t i = sizeof(T); i-- > 0;) {
            value = static_cast<T>(
                static_cast<std::uint64_t>(value) << 8U
                | static_cast<unsigned char>(bytes_.at(offset + i))
            );
        }
        return value;
    }
    [[nodiscard]] std::uint16_t u16(std::size_t offset) const { return at<std::uint16_t>(offset); }
    [[nodiscard]] std::uint32_t u32(std::size_t offset) const { return at<std::uint32_t>(offset); }
    [[nodiscard]] std::uint64_t u64(std::size_t offset) const { return at<std::uint64_t>(offset); }

private:
    std::string_view bytes_;
};

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

struct Member {
    std::uint64_t header = 0;  ///< offset of the local header
    std::uint64_t packed = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
    std::string name;
};

bool starts_with(std::string_view bytes, std::string_view signature) {
    return bytes.starts_with(signature);
}

/// Offset of the end record in the tail: the last whose comment reaches exactly to the end.
std::optional<std::size_t> find_end(std::string_view tail) {
    if (tail.size() < end_size) {
        return std::nullopt;
    }
    for (std::size_t at = tail.size() - end_size + 1; at-- > 0;) {
        if (starts_with(tail.substr(at), "PK\5\6")
            && at + end_size + Record(tail).u16(at + 20) == tail.size()) {
            return at;
        }
    }
    return std::nullopt;
}

std::optional<Directory> find_directory64(const PartialFile& file, std::uint64_t end_offset) {
    if (end_offset < locator64_size) {
        return std::nullopt;
    }
    const auto locator = file.read(end_offset - locator64_size, locator64_size);
    if (!locator || !starts_with(*locator, "PK\6\7")) {
        return std::nullopt;
    }
    const auto end64 = file.read(Record(*locator).u64(8), end64_size);
    if (!end64 || !starts_with(*end64, "PK\6\6")) {
        return std::nullopt;
    }
    return Directory{Record(*end64).u64(48), Record(*end64).u64(40)};
}

std::optional<Directory> find_directory(const PartialFile& file) {
    const auto end = find_end(file.tail);
    if (!end) {
        return std::nullopt;
    }
    const Record record(std::string_view(file.tail).substr(*end));
    const std::uint64_t end_offset = file.size - file.tail.size() + *end;
    Directory directory{record.u32(16), record.u32(12)};
    if (directory.offset == 0xffffffff || directory.size == 0xffffffff) {
        const auto wide = find_directory64(file, end_offset);
        if (!wide) {
            return std::nullopt;
        }
        directory = *wide;
    }
    const bool fits = directory.size <= max_directory_bytes && directory.offset <= end_offset
                      && directory.size <= end_offset - directory.offset;
    return fits ? std::optional<Directory>(directory) : std::nullopt;
}

/// Sizes and offset that do not fit 32 bits stand in an extra field, those that do not, in order.
void take_zip64_extra(Member& member, std::string_view extra) {
    while (extra.size() >= 4) {
        const Record field(extra);
        const std::size_t length = field.u16(2);
        if (4 + length > extra.size()) {
            return;
        }
        if (field.u16(0) == 1) {
            const Record wide(extra.substr(4, length));
            std::size_t at = 0;
            for (auto* value : {&member.size, &member.packed, &member.header}) {
                if (*value == 0xffffffff && at + 8 <= length) {
                    *value = wide.u64(at);
                    at += 8;
                }
            }
            return;
        }
        extra.remove_prefix(4 + length);
    }
}

bool is_metadata_of(std::string_view name, std::string_view written_prefix) {
    static constexpr std::string_view ending = ".dist-info/METADATA";
    if (!name.ends_with(ending)) {
        return false;
    }
    name.remove_suffix(ending.size());
    return name.find('/') == std::string_view::npos
           && pep::normalize_name(name) == pep::normalize_name(written_prefix);
}

/// The one METADATA of the directory; nullopt if there is none or more than one.
std::optional<Member> find_metadata(std::string_view directory, std::string_view written_prefix) {
    std::optional<Member> found;
    while (directory.size() >= entry_size && starts_with(directory, "PK\1\2")) {
        const Record entry(directory);
        const std::size_t name_size = entry.u16(28);
        const std::size_t extra_size = entry.u16(30);
        const std::size_t whole = entry_size + name_size + extra_size + entry.u16(32);
        if (whole > directory.size()) {
            return std::nullopt;
        }
        const auto name = directory.substr(entry_size, name_size);
        if (is_metadata_of(name, written_prefix)) {
            if (found) {
                return std::nullopt;
            }
            found = Member{
                entry.u32(42),
                entry.u32(20),
                entry.u32(24),
                entry.u32(16),
                entry.u16(10),
                std::string(name)
            };
            take_zip64_extra(*found, directory.substr(entry_size + name_size, extra_size));
        }
        directory.remove_prefix(whole);
    }
    return directory.empty() ? found : std::nullopt;
}

/// The packed bytes, after the local header has been seen to name the same member.
std::optional<std::string>
read_packed(const PartialFile& file, const Member& member, std::uint64_t directory_offset) {
    if (member.header >= directory_offset) {
        return std::nullopt;
    }
    const auto guess = local_size + member.name.size() + extra_allowance + member.packed;
    const auto bytes = file.read(member.header, std::min(guess, directory_offset - member.header));
    if (!bytes || bytes->size() < local_size || !starts_with(*bytes, "PK\3\4")) {
        return std::nullopt;
    }
    const Record local(*bytes);
    const std::size_t start = local_size + local.u16(26) + local.u16(28);
    if (std::string_view(*bytes).substr(local_size, local.u16(26)) != member.name
        || local.u16(8) != member.method || directory_offset - member.header < start
        || directory_offset - member.header - start < member.packed) {
        return std::nullopt;
    }
    return start + member.packed <= bytes->size() ? bytes->substr(start, member.packed)
                                                  : file.read(member.header + start, member.packed);
}

std::optional<std::string> unpack(std::string packed, const Member& member) {
    std::string content = std::move(packed);
    if (member.method == 8) {
        const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
            inflater(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
        const std::string deflated = std::exchange(content, std::string(member.size, '\0'));
        const auto result = libdeflate_deflate_decompress(
            inflater.get(),
            deflated.data(),
            deflated.size(),
            content.data(),
            content.size(),
            nullptr
        );
        if (result != LIBDEFLATE_SUCCESS) {
            return std::nullopt;
        }
    } else if (member.method != 0 || member.packed != member.size) {
        return std::nullopt;
    }
    const bool intact = libdeflate_crc32(0, content.data(), content.size()) == member.crc;
    return intact ? std::optional<std::string>(std::move(content)) : std::nullopt;
}

}  // namespace

std::optional<std::string> PartialFile::read(std::uint64_t offset, std::uint64_t length) const {
    if (offset > size || length > size - offset) {
        return std::nullopt;
    }
    const auto tail_offset = size - tail.size();
    if (offset >= tail_offset) {
        return tail.substr(offset - tail_offset, length);
    }
    auto bytes = fetch(offset, length);
    return bytes && bytes->size() == length ? std::move(bytes) : std::nullopt;
}

std::optional<std::string>
read_wheel_metadata(const PartialFile& file, std::string_view written_prefix) {
    const auto directory = find_directory(file);
    const auto bytes = directory ? file.read(directory->offset, directory->size) : std::nullopt;
    const auto member = bytes ? find_metadata(*bytes, written_prefix) : std::nullopt;
    if (!member || member->size > max_metadata_bytes || member->packed > max_metadata_bytes) {
        return std::nullopt;
    }
    auto packed = read_packed(file, *member, directory->offset);
    return packed ? unpack(*std::move(packed), *member) : std::nullopt;
}

}  // namespace wheelforge::index
