// SPDX-License-Identifier: Apache-2.0
// The members of a zip file as their local headers show them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/zip_central.hpp"

namespace wheelforge {

/// Every local header agrees with its central one, and the members fill the file from its first
/// byte to `directory`, one after another, without gaps or overlaps. Sets data_offset. Throws
/// Error{refused} "zip-*".
void check_zip_layout(
    std::string_view file, std::vector<ZipEntry>& entries, std::uint64_t directory
);

}  // namespace wheelforge
