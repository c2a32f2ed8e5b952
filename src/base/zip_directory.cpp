// SPDX-License-Identifier: Apache-2.0
#include "base/zip_directory.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <sys/stat.h>
#include <unordered_set>

#include "base/archive_rules.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/zip_end.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

using namespace zip_format;

/// A member with what only the check of its local header needs.
struct Entry {
    ZipMember member;
    std::uint16_t flags = 0;
    std::uint64_t local_offset = 0;
};

[[noreturn]] void damaged(std::string_view member, std::string_view what) {
    throw zip_refused("zip-damaged", member, what);
}

/// Fields of the extra block; what is left when a length does not fit is nobody's business here.
template <typename Visit>
void for_each_extra(std::string_view extra, Visit&& visit) {
    while (extra.size() >= 4) {
        const auto size = load<std::uint16_t>(extra, 2);
        if (size > extra.size() - 4) {
            return;
        }
        visit(load<std::uint16_t>(extra, 0), extra.substr(4, size));
        extra.remove_prefix(4U + size);
    }
}

/// Replaces the fields that say "see zip64" by the extra field's values, in the order given.
void apply_zip64(
    std::string_view extra, std::initializer_list<std::uint64_t*> fields, std::string_view name
) {
    std::string_view values;
    for_each_extra(extra, [&](std::uint16_t id, std::string_view field) {
        if (id == extra_zip64) {
            values = field;
        }
    });
    for (std::uint64_t* field : fields) {
        if (*field != full32) {
            continue;
        }
        if (values.size() < sizeof(std::uint64_t)) {
            damaged(name, "lacks the zip64 field that its header promises");
        }
        *field = load<std::uint64_t>(values, 0);
        values.remove_prefix(sizeof(std::uint64_t));
    }
}

std::int64_t dos_time(std::uint16_t time, std::uint16_t date) {
    namespace ch = std::chrono;
    const ch::year_month_day day(
        ch::year(1980 + (date >> 9U)), ch::month((date >> 5U) & 15U), ch::day(date & 31U)
    );
    if (!day.ok()) {
        return 0;
    }
    const std::int64_t seconds =
        (time >> 11U) * 3600 + ((time >> 5U) & 63U) * 60 + (time & 31U) * 2;
    return ch::sys_days(day).time_since_epoch().count() * 86400 + seconds;
}

/// The time, and a second name that some readers would prefer.
void read_extra(std::string_view extra, ZipMember& member) {
    for_each_extra(extra, [&](std::uint16_t id, std::string_view field) {
        if (id == extra_timestamp && field.size() >= 5 && (field[0] & 1) != 0) {
            member.mtime = clamp_mtime(load<std::int32_t>(field, 1));
        } else if (id == extra_unicode_path
                   && (field.size() < 5 || field.substr(5) != member.name)) {
            throw zip_refused("zip-name", member.name, "carries a second name");
        }
    });
}

void check_name(std::string_view name) {
    const std::string_view bare = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
    const auto parts = member_parts(bare);
    if (!parts) {
        throw zip_refused("zip-name", name, "has " + parts.error().message);
    }
    if (join_parts(*parts) != bare || bare.find('\\') != std::string_view::npos) {
        throw zip_refused("zip-name", name, "has '.', '//' or a backslash in its name");
    }
}

void check_type(const ZipMember& member) {
    const auto type = member.mode & S_IFMT;
    const bool fits = type == 0 || type == (member.is_directory() ? S_IFDIR : S_IFREG);
    if (!fits) {
        throw zip_refused(
            "zip-special",
            member.name,
            type == S_IFLNK ? "is a symbolic link" : "is of a type that its name contradicts"
        );
    }
    if (member.is_directory() && member.size != 0) {
        throw zip_refused("zip-special", member.name, "is a folder with content");
    }
}

void check_method(const Entry& entry) {
    constexpr std::uint16_t encrypted = 1U << 0U | 1U << 6U | 1U << 13U;
    constexpr std::uint16_t patched = 1U << 5U;
    const ZipMember& member = entry.member;
    if ((entry.flags & encrypted) != 0) {
        throw zip_refused("zip-encrypted", member.name, "is encrypted");
    }
    if ((entry.flags & patched) != 0 || (member.method != stored && member.method != deflated)) {
        throw zip_refused(
            "zip-method",
            member.name,
            "is compressed by method " + std::to_string(member.method) + ", not deflate"
        );
    }
    if (member.method == stored && member.size != member.compressed_size) {
        damaged(member.name, "is stored, but has two different sizes");
    }
}

/// Reads one entry off the front of the central directory.
Entry take_entry(std::string_view& directory) {
    if (directory.size() < central_size || load<std::uint32_t>(directory, 0) != central_signature) {
        damaged("", "stands where a central directory entry should");
    }
    const std::size_t name_size = load<std::uint16_t>(directory, 28);
    const std::size_t extra_size = load<std::uint16_t>(directory, 30);
    const std::size_t comment_size = load<std::uint16_t>(directory, 32);
    if (name_size + extra_size + comment_size > directory.size() - central_size) {
        damaged("", "reaches beyond the central directory");
    }
    Entry entry;
    ZipMember& member = entry.member;
    member.name = directory.substr(central_size, name_size);
    check_name(member.name);
    entry.flags = load<std::uint16_t>(directory, 8);
    member.method = load<std::uint16_t>(directory, 10);
    member.mtime = dos_time(load<std::uint16_t>(directory, 12), load<std::uint16_t>(directory, 14));
    member.crc32 = load<std::uint32_t>(directory, 16);
    member.compressed_size = load<std::uint32_t>(directory, 20);
    member.size = load<std::uint32_t>(directory, 24);
    member.mode = load<std::uint16_t>(directory, 40);
    entry.local_offset = load<std::uint32_t>(directory, 42);
    const auto extra = directory.substr(central_size + name_size, extra_size);
    apply_zip64(extra, {&member.size, &member.compressed_size, &entry.local_offset}, member.name);
    read_extra(extra, member);
    check_type(member);
    check_method(entry);
    directory.remove_prefix(central_size + name_size + extra_size + comment_size);
    return entry;
}

void check_limits(const std::vector<Entry>& entries, const ZipLimits& limits) {
    std::uint64_t total = 0;
    for (const Entry& entry : entries) {
        const ZipMember& member = entry.member;
        if (member.size / std::max<std::uint64_t>(limits.ratio, 1) > member.compressed_size) {
            throw zip_refused("zip-limit", member.name, "claims to unpack to an impossible size");
        }
        if (member.size > limits.unpacked_bytes - total) {
            throw zip_refused(
                "zip-limit",
                member.name,
                "brings the content above " + human_bytes(limits.unpacked_bytes)
            );
        }
        total += member.size;
    }
}

/// No name twice, and no file where another member needs a folder.
void check_unique(const std::vector<Entry>& entries) {
    std::unordered_set<std::string_view> seen;
    std::unordered_set<std::string_view> files;
    for (const Entry& entry : entries) {
        const std::string_view name = entry.member.name;
        const bool directory = entry.member.is_directory();
        if (!seen.insert(directory ? name.substr(0, name.size() - 1) : name).second) {
            throw zip_refused("zip-duplicate", name, "is there twice");
        }
        if (!directory) {
            files.insert(name);
        }
    }
    for (const Entry& entry : entries) {
        const std::string_view name = entry.member.name;
        for (auto slash = name.find('/'); slash != std::string_view::npos;
             slash = name.find('/', slash + 1)) {
            if (files.contains(name.substr(0, slash))) {
                throw zip_refused("zip-duplicate", name, "stands below a file");
            }
        }
    }
}

/// Sizes and checksum as the local header gives them.
struct LocalSizes {
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_size = 0;
    std::uint64_t size = 0;
    [[nodiscard]] bool agree(const ZipMember& member) const {
        return crc32 == member.crc32 && compressed_size == member.compressed_size
               && size == member.size;
    }
    [[nodiscard]] bool absent() const { return crc32 == 0 && compressed_size == 0 && size == 0; }
};

/// Checks the local header against the central one; sets data_offset.
void check_local(std::string_view file, Entry& entry, std::uint64_t end) {
    ZipMember& member = entry.member;
    const std::uint64_t at = entry.local_offset;
    if (end - at < local_size || load<std::uint32_t>(file, at) != local_signature) {
        damaged(member.name, "has no local header where the central directory says");
    }
    const std::size_t name_size = load<std::uint16_t>(file, at + 26);
    const std::size_t extra_size = load<std::uint16_t>(file, at + 28);
    if (name_size + extra_size > end - at - local_size) {
        damaged(member.name, "has a local header that reaches beyond it");
    }
    constexpr std::uint16_t compared = 1U << 0U | 1U << 3U | 1U << 5U | 1U << 6U | 1U << 13U;
    if (file.substr(at + local_size, name_size) != member.name
        || load<std::uint16_t>(file, at + 8) != member.method
        || ((load<std::uint16_t>(file, at + 6) ^ entry.flags) & compared) != 0) {
        throw zip_refused("zip-mismatch", member.name, "is called or packed differently locally");
    }
    const auto extra = file.substr(at + local_size + name_size, extra_size);
    LocalSizes sizes{
        load<std::uint32_t>(file, at + 14),
        load<std::uint32_t>(file, at + 18),
        load<std::uint32_t>(file, at + 22)
    };
    apply_zip64(extra, {&sizes.size, &sizes.compressed_size}, member.name);
    const bool described_later = (entry.flags & flag_descriptor) != 0;
    if (!sizes.agree(member) && !(described_later && sizes.absent())) {
        throw zip_refused("zip-mismatch", member.name, "has other sizes in its local header");
    }
    read_extra(extra, member);
    member.data_offset = at + local_size + name_size + extra_size;
}

/// With or without signature, with sizes of 4 or 8 bytes.
bool is_descriptor(std::string_view bytes, const ZipMember& member) {
    if (bytes.size() % 8 == 0) {
        if (load<std::uint32_t>(bytes, 0) != descriptor_signature) {
            return false;
        }
        bytes.remove_prefix(4);
    }
    if (load<std::uint32_t>(bytes, 0) != member.crc32) {
        return false;
    }
    if (bytes.size() == 20) {
        return load<std::uint64_t>(bytes, 4) == member.compressed_size
               && load<std::uint64_t>(bytes, 12) == member.size;
    }
    return load<std::uint32_t>(bytes, 4) == member.compressed_size
           && load<std::uint32_t>(bytes, 8) == member.size;
}

/// What stands between a member's data and the next header is its descriptor or nothing.
void check_after(std::string_view file, const Entry& entry, std::uint64_t end) {
    const ZipMember& member = entry.member;
    if (member.compressed_size > end - member.data_offset) {
        throw zip_refused("zip-overlap", member.name, "overlaps what follows it");
    }
    const std::uint64_t data_end = member.data_offset + member.compressed_size;
    const auto rest = file.substr(data_end, end - data_end);
    if ((entry.flags & flag_descriptor) == 0) {
        if (!rest.empty()) {
            throw zip_refused("zip-overlap", member.name, "is followed by bytes of no member");
        }
        return;
    }
    const bool plausible =
        rest.size() == 12 || rest.size() == 16 || rest.size() == 20 || rest.size() == 24;
    if (!plausible || !is_descriptor(rest, member)) {
        throw zip_refused("zip-mismatch", member.name, "has a data descriptor that contradicts it");
    }
}

void check_layout(std::string_view file, std::vector<Entry>& entries, std::uint64_t directory) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return entries[a].local_offset < entries[b].local_offset;
    });
    const std::uint64_t first = entries.empty() ? directory : entries[order[0]].local_offset;
    if (first != 0) {
        throw Error{
            ExitCode::refused, "zip-trailing", "the zip file starts with bytes of no member"
        };
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        Entry& entry = entries[order[i]];
        const auto end = i + 1 < order.size() ? entries[order[i + 1]].local_offset : directory;
        if (end > directory || end <= entry.local_offset) {
            throw zip_refused("zip-overlap", entry.member.name, "overlaps another member");
        }
        check_local(file, entry, end);
        check_after(file, entry, end);
    }
}

std::vector<Entry> read_entries(std::string_view file, const ZipEnd& end, const ZipLimits& limits) {
    if (end.entries > limits.members || end.entries > end.directory_size / central_size) {
        throw Error{
            ExitCode::refused,
            "zip-limit",
            "the zip file claims " + std::to_string(end.entries) + " members"
        };
    }
    std::string_view directory = file.substr(end.directory_offset, end.directory_size);
    std::vector<Entry> entries;
    entries.reserve(end.entries);
    for (std::uint64_t i = 0; i < end.entries; ++i) {
        entries.push_back(take_entry(directory));
    }
    if (!directory.empty()) {
        throw Error{
            ExitCode::refused,
            "zip-damaged",
            "the zip file has more in its central directory than its end record says"
        };
    }
    return entries;
}

}  // namespace

std::vector<ZipMember> read_zip_directory(std::string_view file, const ZipLimits& limits) {
    const ZipEnd end = read_zip_end(file);
    std::vector<Entry> entries = read_entries(file, end, limits);
    check_limits(entries, limits);
    check_unique(entries);
    check_layout(file, entries, end.directory_offset);
    std::vector<ZipMember> members;
    members.reserve(entries.size());
    for (Entry& entry : entries) {
        members.push_back(std::move(entry.member));
    }
    return members;
}

Error zip_refused(const char* id, std::string_view member, std::string_view what) {
    constexpr std::size_t shown = 200;
    std::string name = "a member";
    if (!member.empty()) {
        name = "member \"" + printable(member.substr(0, shown))
               + (member.size() > shown ? "...\"" : "\"");
    }
    return {ExitCode::refused, id, name + " of the zip file " + std::string(what)};
}

}  // namespace wheelforge
