// SPDX-License-Identifier: Apache-2.0
// Strict JSON: nlohmann's parser with the rules its own loader lacks (duplicate keys, depth over
// 200, trailing data, invalid UTF-8 refused; non-finite numbers refused).
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/expected.hpp"

namespace wheelforge {

/// Keys keep their order, so that what we write is stable and readable.
using Json = nlohmann::ordered_json;

[[nodiscard]] Parsed<Json> parse_json(std::string_view text);
/// Indented by two, UTF-8, one newline at the end. Invalid UTF-8 in strings becomes U+FFFD.
[[nodiscard]] std::string dump_json(const Json& value);
/// On one line, no newline.
[[nodiscard]] std::string dump_json_line(const Json& value);
/// null where there is no text.
[[nodiscard]] Json text_or_null(const std::string& text);

}  // namespace wheelforge
