// SPDX-License-Identifier: Apache-2.0
#include "variant/variable.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "variant/reading.hpp"

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

namespace {

std::string checked_name(const std::string& name, const yaml::Node& value) {
    if (!is_variable_name(name)) {
        throw bad_value(
            value.key_position, fmt::format("'{}' is no name for a variable", printable(name))
        );
    }
    return name;
}

std::string key_origin(const yaml::Node& value) {
    return fmt::format("{}:{}", value.key_position.file, value.key_position.line);
}

VariantVariable read_command(const std::string& name, const yaml::Node& value) {
    value.only_keys({"command", "pattern"}, "a value from a command");
    VariantVariable variable{name, "", key_origin(value)};
    variable.command = texts_at(value, "command");
    variable.pattern = pattern_at(value, "pattern");
    if (variable.command.empty()) {
        throw bad_value(value.position, fmt::format("'{}' needs a command", name));
    }
    return variable;
}

/// The value of a line of an env file: quotes around it are taken off.
std::string unquoted(std::string_view value) {
    const bool quoted = value.size() >= 2 && value.front() == value.back()
                        && (value.front() == '"' || value.front() == '\'');
    return std::string(quoted ? value.substr(1, value.size() - 2) : value);
}

}  // namespace

std::vector<VariantVariable> read_variables(const yaml::Node& node) {
    std::vector<VariantVariable> variables;
    if (node.is_null()) {
        return variables;
    }
    for (const auto& [name, value] : node.as_mapping()) {
        variables.push_back({checked_name(name, value), value_of(value), key_origin(value)});
    }
    return variables;
}

std::vector<VariantVariable> read_variables_and_commands(const yaml::Node& node) {
    std::vector<VariantVariable> variables;
    if (node.is_null()) {
        return variables;
    }
    for (const auto& [name, value] : node.as_mapping()) {
        checked_name(name, value);
        if (value.kind == yaml::Node::Kind::mapping) {
            variables.push_back(read_command(name, value));
        } else {
            variables.push_back({name, value_of(value), key_origin(value)});
        }
    }
    return variables;
}

std::vector<VariantVariable> parse_env_file(std::string_view text, const std::string& file) {
    std::vector<VariantVariable> variables;
    yaml::Position at{file, 0, 1};
    for (const auto whole : lines(text)) {
        ++at.line;
        auto line = trim(whole);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (line.starts_with("export ")) {
            line = trim(line.substr(7));
        }
        const auto equals = line.find('=');
        if (equals == std::string_view::npos || !is_variable_name(line.substr(0, equals))) {
            throw bad_value(at, fmt::format("'{}' is not NAME=VALUE", printable(line)));
        }
        auto value = unquoted(trim(line.substr(equals + 1)));
        // It is no template: what looks like one stays as it is.
        variables.push_back(
            {std::string(line.substr(0, equals)),
             replace_all(std::move(value), "$", "$$"),
             fmt::format("{}:{}", file, at.line)}
        );
    }
    return variables;
}

}  // namespace wheelforge::variant
