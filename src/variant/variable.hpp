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
    /// In variants only: the value is what this prints (group 1 of `pattern`, or all of it).
    std::vector<std::string> command = {};
    std::string pattern = {};
};

/// A POSIX name: letters, digits and '_', no digit first.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;

/// A mapping of names to text, numbers, true (1) or false (0), in file order; null is empty.
/// Values lose blanks at their ends; "$(" is refused, since no shell ever sees them; so are yes,
/// no, on and off without quotes, which other YAML readers take for booleans.
/// Throws Error{usage} "bad-value".
[[nodiscard]] std::vector<VariantVariable> read_variables(const yaml::Node& node);
/// The same, where a value may also be `{command: [PROGRAM, ARGUMENT...], pattern: REGEX}`.
[[nodiscard]] std::vector<VariantVariable> read_variables_and_commands(const yaml::Node& node);
/// KEY=VALUE lines, with '#' comments, optional `export`, and quotes around values; no expansion.
/// Throws Error{usage} "bad-value" with file and line.
[[nodiscard]] std::vector<VariantVariable>
parse_env_file(std::string_view text, const std::string& file);

}  // namespace wheelforge::variant
