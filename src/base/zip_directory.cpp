// SPDX-License-Identifier: Apache-2.0
#include "base/zip_directory.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/zip_central.hpp"
#include "base/zip_end.hpp"
#include "base/zip_format.hpp"
#include "base/zip_layout.hpp"

namespace wheelforge {
namespace {

void check_limits(const std::vector<ZipEntry>& entries, const ZipLimits& limits) {
    std::uint64_t total = 0;
    for (const ZipEntry& entry : entries) {
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
void check_unique(const std::vector<ZipEntry>& entries) {
    std::unordered_set<std::string_view> seen;
    std::unordered_set<std::string_view> files;
    for (const ZipEntry& entry : entries) {
        const std::string_view name = entry.member.name;
        const bool directory = entry.member.is_directory();
        if (!seen.insert(directory ? name.substr(0, name.size() - 1) : name).second) {
            throw zip_refused("zip-duplicate", name, "is there twice");
        }
        if (!directory) {
            files.insert(name);
        }
    }
    for (const ZipEntry& entry : entries) {
        const std::string_view name = entry.member.name;
        for (auto slash = name.find('/'); slash != std::string_view::npos;
             slash = name.find('/', slash + 1)) {
            if (files.contains(name.substr(0, slash))) {
                throw zip_refused("zip-duplicate", name, "stands below a file");
            }
        }
    }
}

std::vector<ZipEntry>
read_entries(std::string_view file, const ZipEnd& end, const ZipLimits& limits) {
    if (end.entries > limits.members
        || end.entries > end.directory_size / zip_format::central_size) {
        throw Error{
            ExitCode::refused,
            "zip-limit",
            "the zip file claims " + std::to_string(end.entries) + " members"
        };
    }
    std::string_view directory = file.substr(end.directory_offset, end.directory_size);
    std::vector<ZipEntry> entries;
    entries.reserve(end.entries);
    for (std::uint64_t i = 0; i < end.entries; ++i) {
        entries.push_back(take_zip_entry(directory));
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
    std::vector<ZipEntry> entries = read_entries(file, end, limits);
    check_limits(entries, limits);
    check_unique(entries);
    check_zip_layout(file, entries, end.directory_offset);
    std::vector<ZipMember> members;
    members.reserve(entries.size());
    for (ZipEntry& entry : entries) {
        members.push_back(std::move(entry.member));
    }
    return members;
}

}  // namespace wheelforge
