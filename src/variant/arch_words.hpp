// SPDX-License-Identifier: Apache-2.0
// Words of --arch, before a family judges them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "variant/architectures.hpp"

namespace wheelforge::variant {

/// Of lists separated by commas, semicolons or blanks, in order.
[[nodiscard]] std::vector<std::string> arch_words(std::span<const std::string> lists);
/// Whether a word is an architecture, a family or an alias of the table.
[[nodiscard]] bool has_arch(const Architectures& architectures, const std::string& word);

}  // namespace wheelforge::variant
