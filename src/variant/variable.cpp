// SPDX-License-Identifier: Apache-2.0
#include "variant/variable.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::variant {

namespace {

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Error bad_value(const yaml::Position& position, std::string_view why) {
    return {ExitCode::usage, "bad-value", fmt::format("{}: {}", position.text(), why)};
}

std::string value_of(const yaml::Node& node) {
    constexpr std::array<std::string_view, 4> ambiguous{"yes", "no", "on", "off"};
    const std::string& text = node.as_string();
    if (!node.quoted) {
        const std::string lower = to_lower(text);
        if (lower == "true" || lower == "false") {
            return lower == "true" ? "1" : "0";
        }
        if (contains(ambiguous, lower)) {
            throw bad_value(
                node.position, fmt::format("'{}': '{}' is text or a boolean?", node.key, text)
            )
                .advise(fmt::format("write \"{}\" in quotes, or true or false", text));
        }
    }
    if (text.find("$(") != std::string::npos) {
        throw bad_value(
            node.position,
            fmt::format("'{}': '$(' is refused, commands are not run for values", node.key)
        );
    }
    return std::string(trim(text));
}

}  // namespace

bool is_variable_name(std::string_view name) noexcept {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && is_letter(name.front())
           && std::all_of(name.begin(), name.end(), [&](char c) {
                  return is_letter(c) || is_digit(c);
              });
}

std::vector<VariantVariable> read_variables(const yaml::Node& node) {
    std::vector<VariantVariable> variables;
    if (node.is_null()) {
        return variables;
    }
    for (const auto& [name, value] : node.as_mapping()) {
        const auto& at = value.key_position;
        if (!is_variable_name(name)) {
            throw bad_value(at, fmt::format("'{}' is no name for a variable", name));
        }
        variables.push_back({name, value_of(value), fmt::format("{}:{}", at.file, at.line)});
    }
    return variables;
}

}  // namespace wheelforge::variant
