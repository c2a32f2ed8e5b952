// SPDX-License-Identifier: Apache-2.0
// What is checked of an HTML page before the parser sees it. libxml2 compares each attribute of a
// tag with all before it, so a tag of a million attributes would keep it busy for hours.
#pragma once

#include <string_view>

namespace wheelforge::index {

inline constexpr int max_attributes = 200;

/// Whether the parser could meet a tag of more than max_attributes, wherever a tag may begin: a
/// comment or a quoted value is not trusted to be one. Takes time linear in the page; pages made
/// to prevent that count as exceeding.
[[nodiscard]] bool exceeds_html_limits(std::string_view page);

}  // namespace wheelforge::index
