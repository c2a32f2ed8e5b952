// SPDX-License-Identifier: Apache-2.0
#include "config/package_layer.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/core.h>

#include "config/group_keys.hpp"
#include "config/read_value.hpp"
#include "variant/variable.hpp"

namespace wheelforge::config {

namespace {

/// What Fromager 0.101 has besides the keys accepted here.
const std::vector<std::string> fromager_package_keys{
    "annotations",
    "git_options",
    "purl",
    "source",
};
const std::vector<std::string> fromager_variant_keys{"annotations"};

void read_env(const yaml::Node& node, LayerValues& values) {
    for (auto& variable : variant::read_variables(node)) {
        values.env.push_back(
            {std::move(variable.name), std::move(variable.value), std::move(variable.origin)}
        );
    }
}

void read_config_settings(const yaml::Node& node, LayerValues& values) {
    for (const auto& [name, value] : node.as_mapping()) {
        const bool is_list = value.kind == yaml::Node::Kind::sequence;
        values.config_settings[name] =
            is_list ? value.as_strings() : std::vector{value.as_string()};
    }
}

void read_builder(const yaml::Node& node, LayerValues& values) {
    const std::string& name = node.as_string();
    if (name != "pip" && name != "pep517") {
        throw bad_value(node, "expected pip or pep517");
    }
    values.builder = set_by(node, name == "pip" ? Builder::pip : Builder::pep517);
}

void read_hipify(const yaml::Node& node, LayerValues& values) {
    auto command = node.as_strings();
    if (command.empty() || command.front().empty()) {
        throw bad_value(node, "expected a command: [PROGRAM, ARGUMENT...]");
    }
    values.hipify = set_by(node, std::move(command));
}

/// Refused where it is written; the names stand for any variant here.
void read_requires_from(const yaml::Node& node, LayerValues& values) {
    Set<std::string> path = set_by(node, read_path_below(node));
    (void)expand_variant(path, "v", "v");
    values.resolution.requires_from = std::move(path);
}

/// A key and what it sets.
struct Key {
    std::string_view name;
    void (*read)(const yaml::Node& node, LayerValues& values);
};

constexpr auto keys_of_both = std::to_array<Key>({
    {"drop",
     [](const yaml::Node& node, LayerValues& values) {
         values.resolution.drop = set_by(node, node.as_bool());
     }},
    {"env", read_env},
    {"hipify", read_hipify},
    {"index_url",
     [](const yaml::Node& node, LayerValues& values) {
         values.source.index_url = set_by(node, read_url(node));
     }},
    {"match_runtime", read_match_runtime},
    {"override",
     [](const yaml::Node& node, LayerValues& values) {
         values.resolution.override_version = set_by(node, read_specifier(node));
     }},
    {"pre_releases",
     [](const yaml::Node& node, LayerValues& values) {
         values.resolution.pre_releases = set_by(node, node.as_bool());
     }},
    {"requires_dist", read_requires_dist},
    {"requires_from", read_requires_from},
});

constexpr auto keys_of_packages = std::to_array<Key>({
    {"build_dir",
     [](const yaml::Node& node, LayerValues& values) {
         values.build_dir = set_by(node, read_path_below(node));
     }},
    {"build_options", read_build_options},
    {"builder", read_builder},
    {"changelog", read_changelog},
    {"config_settings", read_config_settings},
    {"download_source", read_download_source},
    {"never_from_index", read_never_from_index},
    {"project_override", read_project_override},
    {"renamed_from", read_renamed_from},
    {"repository", read_repository},
    {"resolver_dist", read_resolver_dist},
});

/// What is taken as a wheel differs from variant to variant, so Fromager has these there only.
constexpr auto keys_of_variants = std::to_array<Key>({
    {"pre_built",
     [](const yaml::Node& node, LayerValues& values) {
         values.pre_built = set_by(node, node.as_bool());
     }},
    {"wheel_server_url",
     [](const yaml::Node& node, LayerValues& values) {
         values.wheel_server_url = set_by(node, read_url(node));
     }},
});

void read_keys(
    const yaml::Node& node,
    std::span<const Key> keys,
    LayerValues& values,
    const Complaints& complaints
) {
    for (const auto& key : keys) {
        if (const auto* value = given(node, key.name)) {
            complaints.guard([&] { key.read(*value, values); });
        }
    }
}

std::vector<std::string>
names_of(std::span<const Key> some, std::span<const Key> others, std::vector<std::string> more) {
    for (const auto& keys : {some, others}) {
        for (const auto& key : keys) {
            more.emplace_back(key.name);
        }
    }
    return more;
}

void refuse_variant_keys(const yaml::Node& node, const Complaints& complaints) {
    for (const auto& key : keys_of_variants) {
        const auto* value = node.find(key.name);
        if (value == nullptr) {
            continue;
        }
        complaints.guard([&] {
            throw Error{
                ExitCode::usage,
                "unknown-key",
                fmt::format("{}: '{}' belongs to a variant", value->key_position.text(), key.name)
            }
                .advise(fmt::format("write it below variants: NAME:, as {}: ...", key.name));
        });
    }
}

LayerValues read_variant(const yaml::Node& node, const Complaints& complaints) {
    only_accepted_keys(
        node,
        names_of(keys_of_both, keys_of_variants, {}),
        fromager_variant_keys,
        "a package's variant",
        complaints
    );
    LayerValues values;
    read_keys(node, keys_of_both, values, complaints);
    read_keys(node, keys_of_variants, values, complaints);
    return values;
}

}  // namespace

void only_accepted_keys(
    const yaml::Node& node,
    const std::vector<std::string>& accepted,
    const std::vector<std::string>& fromager_keys,
    std::string_view what,
    const Complaints& complaints
) {
    if (node.is_null()) {
        return;
    }
    for (const auto& [name, value] : node.as_mapping()) {
        complaints.guard([&, &name = name, &value = value] {
            if (std::find(fromager_keys.begin(), fromager_keys.end(), name)
                != fromager_keys.end()) {
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
            yaml::Node alone;
            alone.kind = yaml::Node::Kind::mapping;
            alone.mapping.push_back({name, {}});
            alone.mapping.back().value.key_position = value.key_position;
            alone.only_keys(accepted, what);
        });
    }
}

PackageLayer read_package_layer(
    const yaml::Node& node, const Complaints& complaints, const std::vector<std::string>& more_keys
) {
    PackageLayer layer;
    if (node.is_null()) {
        return layer;
    }
    auto accepted = more_keys;
    accepted.insert(accepted.end(), {"couplings", "variants", "pre_built", "wheel_server_url"});
    const auto& rule_keys = variant::package_rule_keys();
    accepted.insert(accepted.end(), rule_keys.begin(), rule_keys.end());
    only_accepted_keys(
        node,
        names_of(keys_of_both, keys_of_packages, std::move(accepted)),
        fromager_package_keys,
        "package settings",
        complaints
    );
    refuse_variant_keys(node, complaints);
    read_keys(node, keys_of_both, layer.values, complaints);
    read_keys(node, keys_of_packages, layer.values, complaints);
    complaints.guard([&] { layer.rules = variant::read_package_rules(node); });
    if (const auto* couplings = given(node, "couplings")) {
        complaints.guard([&] { layer.couplings = read_couplings(*couplings); });
    }
    if (const auto* variants = given(node, "variants")) {
        complaints.guard([&] {
            for (const auto& [name, value] : variants->as_mapping()) {
                layer.variants[name] = read_variant(value, complaints);
            }
        });
    }
    return layer;
}

void apply(const LayerValues& upper, PackageSettings& settings) {
    settings.env.insert(settings.env.end(), upper.env.begin(), upper.env.end());
    for (const auto& [name, values] : upper.config_settings) {
        settings.config_settings[name] = values;
    }
    lay_over(settings.build_dir, upper.build_dir);
    lay_over(settings.hipify, upper.hipify);
    lay_over(settings.pre_built, upper.pre_built);
    lay_over(settings.wheel_server_url, upper.wheel_server_url);
    if (upper.builder) {
        settings.builder = *upper.builder;
    }
    settings.resolution.lay_over(upper.resolution);
    settings.source.lay_over(upper.source);
    settings.build.lay_over(upper.build);
}

}  // namespace wheelforge::config
