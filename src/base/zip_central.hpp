// SPDX-License-Identifier: Apache-2.0
// One entry of a zip file's central directory, and the extra fields that local headers share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/error.hpp"
#include "base/zip.hpp"

namespace wheelforge {

/// A member with what only the check of its local header needs.
struct ZipEntry {
    ZipMember member;
    std::uint16_t flags = 0;
    std::uint64_t local_offset = 0;
};

/// Reads one entry off the front of the central directory and judges its name, type and method.
/// Throws Error{refused} "zip-*".
[[nodiscard]] ZipEntry take_zip_entry(std::string_view& directory);

/// Replaces the fields that say "see zip64" by the extra field's values, in the order given.
void apply_zip64(
    std::string_view extra, std::initializer_list<std::uint64_t*> fields, std::string_view name
);
/// The time, and a second name that some readers would prefer (refused if it is another one).
void read_zip_extra(std::string_view extra, ZipMember& member);

/// Error{refused} about one member, its name made printable.
[[nodiscard]] Error zip_refused(const char* id, std::string_view member, std::string_view what);
[[noreturn]] void zip_damaged(std::string_view member, std::string_view what);

}  // namespace wheelforge
