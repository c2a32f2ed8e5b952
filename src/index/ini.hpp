// SPDX-License-Identifier: Apache-2.0
// INI files as Python's RawConfigParser reads them, which is what pip uses: '=' or ':', whole-line
// comments by '#' or ';', values that go on in deeper indented lines, no interpolation, duplicate
// sections and keys refused, [DEFAULT] inherited by every section.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::index {

/// section -> key (lower case) -> value; lines of a value are joined by newlines.
using Ini = std::map<std::string, std::map<std::string, std::string>>;

[[nodiscard]] Parsed<Ini> parse_ini(std::string_view text);

}  // namespace wheelforge::index
