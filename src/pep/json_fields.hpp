// SPDX-License-Identifier: Apache-2.0
// Typed reading of a JSON object's fields, for the answers of `wheelforge pep`.
//
// A wrong field throws ParseError, which answer_json_line() turns into the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/expected.hpp"
#include "base/json.hpp"

namespace wheelforge::pep {

[[nodiscard]] std::string required_string(const Json& question, std::string_view field);
/// nullopt when the field is absent or null.
[[nodiscard]] std::optional<std::string>
optional_string(const Json& question, std::string_view field);
[[nodiscard]] std::optional<bool> optional_bool(const Json& question, std::string_view field);
/// Empty when the field is absent or null.
[[nodiscard]] std::vector<std::string>
optional_strings(const Json& question, std::string_view field);
/// The field, or nullptr when it is absent or null.
[[nodiscard]] const Json* find_field(const Json& question, std::string_view field);

/// The value, or its error thrown with the name of the field it was read from.
template <typename T>
T value_or_throw(Parsed<T> parsed, std::string_view field) {
    if (!parsed) {
        throw ParseError{std::string(field) + ": " + parsed.error().message, parsed.error().offset};
    }
    return *std::move(parsed);
}

// One function for each kind: question in, answer out.
[[nodiscard]] Json answer_version(const Json& question);
[[nodiscard]] Json answer_specifier(const Json& question);
[[nodiscard]] Json answer_marker(const Json& question);
[[nodiscard]] Json answer_requirement(const Json& question);
[[nodiscard]] Json answer_filename(const Json& question);
[[nodiscard]] Json answer_tags(const Json& question);
[[nodiscard]] Json answer_license(const Json& question);
[[nodiscard]] Json answer_build_system(const Json& question);

}  // namespace wheelforge::pep
