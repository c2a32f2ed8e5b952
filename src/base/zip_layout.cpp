// SPDX-License-Identifier: Apache-2.0
#include "base/zip_layout.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

using namespace zip_format;

/// Sizes and checksum as the local header gives them.
struct LocalSizes {
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_size = 0;
    std::uint64_t size = 0;
    [[nodiscard]] bool agree(const ZipMember& member, bool zero_is_fine) const {
        const auto same = [&](std::uint64_t here, std::uint64_t there) {
            return here == there || (zero_is_fine && here == 0);
        };
        return same(crc32, member.crc32) && same(compressed_size, member.compressed_size)
               && same(size, member.size);
    }
};

/// Checks the local header against the central one; sets data_offset.
void check_local(std::string_view file, ZipEntry& entry, std::uint64_t end) {
    ZipMember& member = entry.member;
    const std::uint64_t at = entry.local_offset;
    if (end - at < local_size || load<std::uint32_t>(file, at) != local_signature) {
        zip_damaged(member.name, "has no local header where the central directory says");
    }
    const std::size_t name_size = load<std::uint16_t>(file, at + 26);
    const std::size_t extra_size = load<std::uint16_t>(file, at + 28);
    if (name_size + extra_size > end - at - local_size) {
        zip_damaged(member.name, "has a local header that reaches beyond it");
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
    if (!sizes.agree(member, described_later)) {
        throw zip_refused("zip-mismatch", member.name, "has other sizes in its local header");
    }
    read_zip_extra(extra, member);
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
void check_after(std::string_view file, const ZipEntry& entry, std::uint64_t end) {
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

}  // namespace

void check_zip_layout(
    std::string_view file, std::vector<ZipEntry>& entries, std::uint64_t directory
) {
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
        ZipEntry& entry = entries[order[i]];
        const auto end = i + 1 < order.size() ? entries[order[i + 1]].local_offset : directory;
        if (end > directory || end <= entry.local_offset) {
            throw zip_refused("zip-overlap", entry.member.name, "overlaps another member");
        }
        check_local(file, entry, end);
        check_after(file, entry, end);
    }
}

}  // namespace wheelforge
