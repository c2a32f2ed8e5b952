// SPDX-License-Identifier: Apache-2.0
// The end of a zip file: where its central directory is and how many members it has.
#pragma once

#include <cstdint>
#include <string_view>

namespace wheelforge {

struct ZipEnd {
    std::uint64_t entries = 0;
    std::uint64_t directory_size = 0;
    std::uint64_t directory_offset = 0;
};

/// Exactly one end record, at the end of the file, with the zip64 records (if any) and the central
/// directory right before it. Throws Error{refused} "zip-damaged", "zip-trailing", "zip-two-ends".
[[nodiscard]] ZipEnd read_zip_end(std::string_view file);

}  // namespace wheelforge
