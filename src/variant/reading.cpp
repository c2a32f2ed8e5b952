// SPDX-License-Identifier: Apache-2.0
#include "variant/reading.hpp"

#include <regex>

#include <fmt/core.h>

#include "base/text.hpp"
#include "variant/variable.hpp"

namespace wheelforge::variant {

Error bad_value(const yaml::Node& node, std::string_view why) {
    const std::string key = node.key.empty() ? "" : "'" + node.key + "': ";
    return {ExitCode::usage, "bad-value", fmt::format("{}: {}{}", node.position.text(), key, why)};
}

std::string origin_of(const yaml::Node& node) {
    return fmt::format("{}:{}", node.position.file, node.position.line);
}

std::string origin_of_key(const yaml::Node& node) {
    return fmt::format("{}:{}", node.key_position.file, node.key_position.line);
}

const yaml::Node* given(const yaml::Node& node, std::string_view key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
}

std::string text_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    return value == nullptr ? std::string() : value->as_string();
}

std::vector<std::string> texts_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        return {};
    }
    return value->kind == yaml::Node::Kind::scalar ? std::vector{value->as_string()}
                                                   : value->as_strings();
}

std::optional<pep::Version> version_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        return std::nullopt;
    }
    auto version = pep::Version::parse(value->as_string());
    if (!version) {
        throw bad_value(*value, "expected a version: " + version.error().message);
    }
    return std::move(*version);
}

pep::SpecifierSet versions_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        return {};
    }
    auto versions = pep::SpecifierSet::parse(value->as_string());
    if (!versions) {
        throw bad_value(*value, "expected versions like '>=1.2,<2': " + versions.error().message);
    }
    return std::move(*versions);
}

std::string variable_name_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        throw bad_value(node, fmt::format("'{}' must be given", key));
    }
    if (!is_variable_name(value->as_string())) {
        throw bad_value(
            *value, fmt::format("'{}' is no name for a variable", printable(value->as_string()))
        );
    }
    return value->as_string();
}

std::string pattern_at(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        return {};
    }
    try {
        static_cast<void>(std::regex(value->as_string()));
    } catch (const std::regex_error&) {
        throw bad_value(*value, "expected a regular expression");
    }
    return value->as_string();
}

}  // namespace wheelforge::variant
