// SPDX-License-Identifier: Apache-2.0
// Environment variables as variants and package settings write them: `NAME: value`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.hpp"

namespace wheelforge::variant {

struct VariantVariable {
    std::string name;
    std::string value;
    std::string origin;  ///< "variants/cpu.yaml:5"
};

/// A POSIX name: letters, digits and '_', no digit first.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;

/// A mapping of names to text, numbers, true (1) or false (0), in file order; null is empty.
/// Values lose blanks at their ends; "$(" is refused, since no shell ever sees them; so are yes,
/// no, on and off without quotes, which other YAML readers take for booleans.
/// Throws Error{usage} "bad-value".
[[nodiscard]] std::vector<VariantVariable> read_variables(const yaml::Node& node);

}  // namespace wheelforge::variant
