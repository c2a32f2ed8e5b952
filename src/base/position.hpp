// SPDX-License-Identifier: Apache-2.0
// Where in a text something is, as people and editors say it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelforge {

/// "line:column" of a byte offset, both from 1; columns count characters. An offset behind the end
/// is its end.
[[nodiscard]] std::string position_in(std::string_view text, std::size_t offset);

}  // namespace wheelforge
