// SPDX-License-Identifier: Apache-2.0
#include "config/read_value.hpp"

#include <filesystem>
#include <limits>

#include <fmt/core.h>

#include "base/text.hpp"
#include "config/requirements_file.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

Error bad_value(const yaml::Node& node, std::string_view why) {
    const std::string key = node.key.empty() ? "" : fmt::format("'{}': ", node.key);
    return {ExitCode::usage, "bad-value", fmt::format("{}: {}{}", node.position.text(), key, why)};
}

std::string origin_of(const yaml::Node& value) {
    const auto& position = value.key.empty() ? value.position : value.key_position;
    return fmt::format("{}:{}", position.file, position.line);
}

const yaml::Node* given(const yaml::Node& node, std::string_view key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
}

std::vector<const yaml::Node*> items_of(const yaml::Node& node) {
    std::vector<const yaml::Node*> items;
    if (node.kind != yaml::Node::Kind::sequence) {
        items.push_back(&node);
        return items;
    }
    for (const auto& item : node.sequence) {
        items.push_back(&item);
    }
    return items;
}

std::string read_url(const yaml::Node& node) {
    const std::string url(trim(node.as_string()));
    const std::string lower = to_lower(url);
    for (const std::string_view scheme : {"https://", "http://", "file://"}) {
        if (lower.starts_with(scheme) && lower.size() > scheme.size()) {
            return url;
        }
    }
    throw bad_value(node, "expected an https, http or file URL");
}

std::string read_path_below(const yaml::Node& node) {
    namespace fs = std::filesystem;
    const fs::path path = fs::path(node.as_string()).lexically_normal();
    if (path.empty()) {
        throw bad_value(node, "an empty path");
    }
    if (path.is_absolute()) {
        throw bad_value(node, "must be relative to the source tree");
    }
    if (*path.begin() == "..") {
        throw bad_value(node, "leads out of the source tree");
    }
    const std::string text = path.string();
    return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

std::string read_name(const yaml::Node& node) {
    const auto name = pep::parse_name(node.as_string());
    if (!name) {
        throw bad_value(node, fmt::format("'{}' is no name of a package", node.as_string()));
    }
    return *name;
}

std::string read_name_pattern(const yaml::Node& node) {
    std::string text = node.as_string();
    if (!text.ends_with('*')) {
        return read_name(node);
    }
    text.pop_back();
    const bool separated = !text.empty() && text.find_last_of("-_.") == text.size() - 1;
    if (separated) {
        text.pop_back();
    }
    const auto name = pep::parse_name(text);
    if (!name) {
        throw bad_value(
            node, fmt::format("'{}' is no beginning of names of packages", node.as_string())
        );
    }
    return *name + (separated ? "-*" : "*");
}

pep::Requirement read_requirement(const yaml::Node& node) {
    return parse_requirement(node.as_string(), node.position.text());
}

std::vector<pep::Requirement> read_requirements(const yaml::Node& node) {
    std::vector<pep::Requirement> requirements;
    for (const auto* item : items_of(node)) {
        requirements.push_back(read_requirement(*item));
    }
    return requirements;
}

pep::SpecifierSet read_specifier(const yaml::Node& node) {
    auto specifier = pep::SpecifierSet::parse(node.as_string());
    if (!specifier) {
        throw bad_value(
            node,
            fmt::format(
                "'{}' is no version specifier ({})", node.as_string(), specifier.error().message
            )
        );
    }
    if (specifier->empty()) {
        throw bad_value(node, "expected a version specifier, as ==2.10.0");
    }
    return std::move(*specifier);
}

int read_count(const yaml::Node& node, int least) {
    const auto number = node.as_int();
    if (number < least || number > std::numeric_limits<int>::max()) {
        throw bad_value(node, fmt::format("expected a number of at least {}", least));
    }
    return static_cast<int>(number);
}

std::string read_text(const yaml::Node& node) {
    std::string text(trim(node.as_string()));
    if (text.empty()) {
        throw bad_value(node, "an empty text");
    }
    return text;
}

}  // namespace wheelforge::config
