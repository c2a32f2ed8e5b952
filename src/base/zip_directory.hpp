// SPDX-License-Identifier: Apache-2.0
// The directory of a zip file, read and judged: what ZipReader's constructor promises.
#pragma once

#include <string_view>
#include <vector>

#include "base/zip.hpp"

namespace wheelforge {

/// Members in the order of the central directory. The file must consist of exactly the members,
/// one after another from its first byte, then the central directory, then its end: no reader,
/// whether it goes by the directory or by the local headers, can see anything else in it.
/// Throws Error{refused} "zip-*".
[[nodiscard]] std::vector<ZipMember>
read_zip_directory(std::string_view file, const ZipLimits& limits);

}  // namespace wheelforge
