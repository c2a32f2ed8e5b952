// SPDX-License-Identifier: Apache-2.0
#include "config/package_layer.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "variant/variable.hpp"

namespace wheelforge::config {

namespace {

/// What Fromager 0.101 has besides the keys accepted here.
const std::vector<std::string> fromager_package_keys{
    "annotations",
    "changelog",
    "download_source",
    "git_options",
    "build_options",
    "resolver_dist",
    "project_override",
    "purl",
    "source",
};
const std::vector<std::string> fromager_variant_keys{"annotations"};

Error bad_value(const yaml::Node& node, std::string_view why) {
    return {
        ExitCode::usage,
        "bad-value",
        fmt::format("{}: '{}': {}", node.position.text(), node.key, why)
    };
}

std::vector<VariableSetting> read_env(const yaml::Node& node) {
    std::vector<VariableSetting> env;
    for (auto& variable : variant::read_variables(node)) {
        env.push_back(
            {std::move(variable.name), std::move(variable.value), std::move(variable.origin)}
        );
    }
    return env;
}

std::map<std::string, std::vector<std::string>> read_config_settings(const yaml::Node& node) {
    std::map<std::string, std::vector<std::string>> settings;
    for (const auto& [name, value] : node.as_mapping()) {
        const bool is_list = value.kind == yaml::Node::Kind::sequence;
        settings[name] = is_list ? value.as_strings() : std::vector{value.as_string()};
    }
    return settings;
}

/// A folder below the source tree, in its shortest spelling.
std::string read_build_dir(const yaml::Node& node) {
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

Builder read_builder(const yaml::Node& node) {
    const std::string& name = node.as_string();
    if (name == "pip") {
        return Builder::pip;
    }
    if (name != "pep517") {
        throw bad_value(node, "expected pip or pep517");
    }
    return Builder::pep517;
}

/// The value of a key, nullptr where it is absent or null.
const yaml::Node* given(const yaml::Node& node, std::string_view key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
}

/// What is taken as a wheel differs from variant to variant, so Fromager has these keys there only.
void refuse_variant_keys(const yaml::Node& node) {
    for (const std::string_view key : {"pre_built", "wheel_server_url"}) {
        if (const auto* value = node.find(key)) {
            throw Error{
                ExitCode::usage,
                "unknown-key",
                fmt::format("{}: '{}' belongs to a variant", value->key_position.text(), key)
            }
                .advise(fmt::format("write it below variants: NAME:, as {}: ...", key));
        }
    }
}

LayerValues read_variant(const yaml::Node& node) {
    only_accepted_keys(
        node, {"env", "pre_built", "wheel_server_url"}, fromager_variant_keys, "a package's variant"
    );
    LayerValues values;
    if (const auto* env = given(node, "env")) {
        values.env = read_env(*env);
    }
    if (const auto* pre_built = given(node, "pre_built")) {
        values.pre_built = {pre_built->as_bool(), origin_of(*pre_built)};
    }
    if (const auto* url = given(node, "wheel_server_url")) {
        values.wheel_server_url = {read_url(*url), origin_of(*url)};
    }
    return values;
}

}  // namespace

std::string origin_of(const yaml::Node& value) {
    return fmt::format("{}:{}", value.key_position.file, value.key_position.line);
}

void only_accepted_keys(
    const yaml::Node& node,
    std::vector<std::string> accepted,
    const std::vector<std::string>& fromager_keys,
    std::string_view what
) {
    if (node.is_null()) {
        return;
    }
    for (const auto& [name, value] : node.as_mapping()) {
        if (std::find(fromager_keys.begin(), fromager_keys.end(), name) != fromager_keys.end()) {
            throw Error{
                ExitCode::usage,
                "unsupported-key",
                fmt::format(
                    "{}: '{}' is a key of Fromager that is not supported yet",
                    value.key_position.text(),
                    name
                )
            }
                .advise("remove it if the build can do without");
        }
    }
    node.only_keys(accepted, what);
}

PackageLayer read_package_layer(const yaml::Node& node, const std::vector<std::string>& more_keys) {
    std::vector<std::string> accepted{"env", "config_settings", "build_dir", "builder", "variants"};
    accepted.insert(accepted.end(), more_keys.begin(), more_keys.end());
    const auto& rule_keys = variant::package_rule_keys();
    accepted.insert(accepted.end(), rule_keys.begin(), rule_keys.end());
    refuse_variant_keys(node);
    only_accepted_keys(node, std::move(accepted), fromager_package_keys, "package settings");
    PackageLayer layer;
    layer.rules = variant::read_package_rules(node);
    if (const auto* env = given(node, "env")) {
        layer.values.env = read_env(*env);
    }
    if (const auto* settings = given(node, "config_settings")) {
        layer.values.config_settings = read_config_settings(*settings);
    }
    if (const auto* folder = given(node, "build_dir")) {
        layer.values.build_dir = {read_build_dir(*folder), origin_of(*folder)};
    }
    if (const auto* builder = given(node, "builder")) {
        layer.values.builder = {read_builder(*builder), origin_of(*builder)};
    }
    if (const auto* variants = given(node, "variants")) {
        for (const auto& [name, value] : variants->as_mapping()) {
            layer.variants[name] = read_variant(value);
        }
    }
    return layer;
}

void apply(const LayerValues& upper, PackageSettings& settings) {
    settings.env.insert(settings.env.end(), upper.env.begin(), upper.env.end());
    for (const auto& [name, values] : upper.config_settings) {
        settings.config_settings[name] = values;
    }
    if (upper.build_dir) {
        settings.build_dir = upper.build_dir;
    }
    if (upper.builder) {
        settings.builder = *upper.builder;
    }
    if (upper.pre_built) {
        settings.pre_built = upper.pre_built;
    }
    if (upper.wheel_server_url) {
        settings.wheel_server_url = upper.wheel_server_url;
    }
}

}  // namespace wheelforge::config
