// SPDX-License-Identifier: Apache-2.0
#include "base/zip_central.hpp"

#include <chrono>
#include <string>
#include <sys/stat.h>

#include "base/archive_rules.hpp"
#include "base/text.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

using namespace zip_format;

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

void check_method(const ZipEntry& entry) {
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
        zip_damaged(member.name, "is stored, but has two different sizes");
    }
}

}  // namespace

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
            zip_damaged(name, "lacks the zip64 field that its header promises");
        }
        *field = load<std::uint64_t>(values, 0);
        values.remove_prefix(sizeof(std::uint64_t));
    }
}

void read_zip_extra(std::string_view extra, ZipMember& member) {
    for_each_extra(extra, [&](std::uint16_t id, std::string_view field) {
        if (id == extra_timestamp && field.size() >= 5 && (field[0] & 1) != 0) {
            member.mtime = clamp_mtime(load<std::int32_t>(field, 1));
        } else if (id == extra_unicode_path
                   && (field.size() < 5 || field.substr(5) != member.name)) {
            throw zip_refused("zip-name", member.name, "carries a second name");
        }
    });
}

ZipEntry take_zip_entry(std::string_view& directory) {
    if (directory.size() < central_size || load<std::uint32_t>(directory, 0) != central_signature) {
        zip_damaged("", "stands where a central directory entry should");
    }
    const std::size_t name_size = load<std::uint16_t>(directory, 28);
    const std::size_t extra_size = load<std::uint16_t>(directory, 30);
    const std::size_t comment_size = load<std::uint16_t>(directory, 32);
    if (name_size + extra_size + comment_size > directory.size() - central_size) {
        zip_damaged("", "reaches beyond the central directory");
    }
    ZipEntry entry;
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
    read_zip_extra(extra, member);
    check_type(member);
    check_method(entry);
    directory.remove_prefix(central_size + name_size + extra_size + comment_size);
    return entry;
}

void zip_damaged(std::string_view member, std::string_view what) {
    throw zip_refused("zip-damaged", member, what);
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
