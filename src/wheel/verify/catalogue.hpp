// SPDX-License-Identifier: Apache-2.0
// What every check of `verify` means and how serious it is: src/wheel/checks.yaml.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/finding.hpp"

namespace wheelforge::wheel {

/// "error", "warn", "info" or "off".
[[nodiscard]] std::optional<Level> parse_level(std::string_view text) noexcept;

/// Level of a check nobody set otherwise; error for an id that the catalogue does not know.
[[nodiscard]] Level default_level(std::string_view id);
[[nodiscard]] bool is_check(std::string_view id);

/// The text of `wheelforge explain ID`, with a newline at its end; nullopt for an unknown id.
[[nodiscard]] std::optional<std::string> explain_check(std::string_view id);
/// Sorted.
[[nodiscard]] std::vector<std::string> check_ids();

}  // namespace wheelforge::wheel
