// SPDX-License-Identifier: Apache-2.0
// Project and extra names (PEP 508 grammar, PEP 503 / PEP 685 normalisation).
#pragma once

#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// PEP 508: `^([A-Z0-9]|[A-Z0-9][A-Z0-9._-]*[A-Z0-9])$`, case-insensitive, ASCII only.
[[nodiscard]] bool is_valid_name(std::string_view name) noexcept;
/// PEP 503: runs of [-_.] become '-', lower case. Total: never fails.
[[nodiscard]] std::string normalize_name(std::string_view name);
/// Validates, then normalises. Only such names may become part of a path.
[[nodiscard]] Parsed<std::string> parse_name(std::string_view name);
/// The form used in file names (PEP 427/625): normalised with '_' instead of '-'.
[[nodiscard]] std::string filename_form(std::string_view name);

}  // namespace wheelforge::pep
