// SPDX-License-Identifier: Apache-2.0
// Values of settings from YAML, each refused with its position when it is not of its kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/yaml.hpp"
#include "config/set.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::config {

/// "file:line:column: 'key': why".
[[nodiscard]] Error bad_value(const yaml::Node& node, std::string_view why);
/// "file:line" of a value's key; of an item of a sequence, its own.
[[nodiscard]] std::string origin_of(const yaml::Node& value);
/// The value of a key, nullptr where it is absent or null.
[[nodiscard]] const yaml::Node* given(const yaml::Node& node, std::string_view key);

template <typename T>
[[nodiscard]] Set<T> set_by(const yaml::Node& node, T value) {
    return {std::move(value), origin_of(node)};
}

/// One or several scalars.
[[nodiscard]] std::vector<const yaml::Node*> items_of(const yaml::Node& node);

[[nodiscard]] std::string read_url(const yaml::Node& node);
/// A relative path that stays below where it starts, in its shortest spelling.
[[nodiscard]] std::string read_path_below(const yaml::Node& node);
/// Normalised.
[[nodiscard]] std::string read_name(const yaml::Node& node);
/// A normalised name, or the beginning of names with '*' behind it.
[[nodiscard]] std::string read_name_pattern(const yaml::Node& node);
[[nodiscard]] pep::Requirement read_requirement(const yaml::Node& node);
[[nodiscard]] std::vector<pep::Requirement> read_requirements(const yaml::Node& node);
[[nodiscard]] pep::SpecifierSet read_specifier(const yaml::Node& node);
[[nodiscard]] int read_count(const yaml::Node& node, int least);
/// Text of at least one character.
[[nodiscard]] std::string read_text(const yaml::Node& node);

}  // namespace wheelforge::config
