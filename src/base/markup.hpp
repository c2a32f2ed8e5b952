// SPDX-License-Identifier: Apache-2.0
// Text inside HTML and XML documents.
#pragma once

#include <string>
#include <string_view>

namespace wheelforge {

/// For element content and for attributes in double quotes. Control characters, which XML forbids,
/// are the caller's affair: printable() takes them away.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace wheelforge
