// SPDX-License-Identifier: Apache-2.0
// Python's string literals: markers quote as Python does, escapes included.
#pragma once

#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// The value of what stands between the quotes. Refused: line ends, NUL, bytes that are not UTF-8,
/// broken escapes, lone surrogates, and \N{NAME} (we carry no table of character names).
[[nodiscard]] Parsed<std::string> unescape_literal(std::string_view body);

}  // namespace wheelforge::pep
