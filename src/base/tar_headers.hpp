// SPDX-License-Identifier: Apache-2.0
// What libarchive's tar reader does not tell: it cuts pax names at a NUL, ignores paths in global
// headers that other readers apply, and fills the holes of sparse files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace wheelforge {

/// Looks at the extension headers before a member (`area`: the tar blocks from the end of the
/// last member's data to the start of this one's). @returns why they are refused, if they are.
[[nodiscard]] std::optional<Error>
refuse_tar_headers(std::string_view area, std::string_view member);

}  // namespace wheelforge
