// SPDX-License-Identifier: Apache-2.0
// Values of YAML mappings as definitions of variants and packages need them. Each throws
// Error{usage} "bad-value" with file:line:column. A key that is absent or null is "not given".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/yaml.hpp"
#include "pep/specifier.hpp"
#include "pep/version.hpp"

namespace wheelforge::variant {

[[nodiscard]] Error bad_value(const yaml::Node& node, std::string_view why);
/// "file:line" of a value, and of its key.
[[nodiscard]] std::string origin_of(const yaml::Node& node);
[[nodiscard]] std::string origin_of_key(const yaml::Node& node);

/// nullptr where it is not given.
[[nodiscard]] const yaml::Node* given(const yaml::Node& node, std::string_view key);
/// "" where it is not given.
[[nodiscard]] std::string text_at(const yaml::Node& node, std::string_view key);
/// A list of texts; one text stands for a list of one.
[[nodiscard]] std::vector<std::string> texts_at(const yaml::Node& node, std::string_view key);
[[nodiscard]] std::optional<pep::Version> version_at(const yaml::Node& node, std::string_view key);
/// Versions for which something holds, ">=0.1.14,<0.2"; not given: the empty set, which has all.
[[nodiscard]] pep::SpecifierSet versions_at(const yaml::Node& node, std::string_view key);
/// Must be given, and be the name of an environment variable.
[[nodiscard]] std::string variable_name_at(const yaml::Node& node, std::string_view key);
/// A regular expression (ECMAScript) that compiles.
[[nodiscard]] std::string pattern_at(const yaml::Node& node, std::string_view key);

}  // namespace wheelforge::variant
