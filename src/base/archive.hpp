// SPDX-License-Identifier: Apache-2.0
// Source archives (sdists: tar.gz, tar.bz2, tar.xz, tar, zip) by libarchive, with our own rules.
//
// Everything inside is hostile: names are checked, links may not leave the root, devices and
// fifos are refused, and writing goes through openat2(RESOLVE_BENEATH), so nothing can be written
// outside `destination` even if a check were wrong. Refusals are Error{refused} with ids archive-*
// (zip-* for what is wrong with a zip file as such) that name the member and the rule. Modes are
// masked to 0644/0755.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

struct ArchiveLimits {
    std::uint64_t unpacked_bytes = 8ULL << 30U;
    std::uint64_t files = 400'000;
    std::uint64_t ratio = 1000;  ///< unpacked : packed, checked above 64 MiB
};

struct UnpackedArchive {
    std::filesystem::path root;  ///< destination / the single root folder
    std::int64_t newest_mtime =
        0;  ///< of the members, seconds since the epoch, for SOURCE_DATE_EPOCH
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> notices;  ///< odd but accepted: names that collide, repeated files
};

/// Unpacks into `destination` (must be empty or absent). Requires exactly one root folder;
/// returns it. What the folder is called is the caller's to judge.
[[nodiscard]] UnpackedArchive unpack_archive(
    const std::filesystem::path& archive,
    const std::filesystem::path& destination,
    const ArchiveLimits& limits = {}
);

/// Reads chosen members without unpacking: `wanted` gets each member name without its root folder
/// ("PKG-INFO", "pyproject.toml") and says whether to read it. One streaming pass that validates
/// names as unpack_archive does; members above 16 MiB are refused. Stops early once every name in
/// `stop_when_seen` was found (empty: reads to the end).
struct ArchiveMember {
    std::string name;  ///< without the root folder
    std::string content;
};
struct ArchivePeek {
    std::string root;  ///< name of the root folder
    std::vector<ArchiveMember> members;
    std::int64_t newest_mtime = 0;     ///< of the members seen
    std::vector<std::string> notices;  ///< as of UnpackedArchive
};
[[nodiscard]] ArchivePeek peek_archive(
    const std::filesystem::path& archive,
    const std::function<bool(std::string_view)>& wanted,
    const std::vector<std::string>& stop_when_seen = {}
);

/// Hands the regular files that are wanted, by their names without the root folder, to `take` one
/// after another, each whole; those above `largest` bytes and links are passed over. Every member
/// is judged as unpack_archive does.
void read_files(
    const std::filesystem::path& archive,
    std::uint64_t largest,
    const std::function<bool(std::string_view)>& wanted,
    const std::function<void(std::string_view, std::string)>& take
);

}  // namespace wheelforge
