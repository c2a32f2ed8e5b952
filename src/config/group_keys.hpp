// SPDX-License-Identifier: Apache-2.0
// The settings that are mappings or lists of their own. Internal to config.
#pragma once

#include "config/package_layer.hpp"

namespace wheelforge::config {

// Fromager's groups.
void read_resolver_dist(const yaml::Node& node, LayerValues& values);
void read_download_source(const yaml::Node& node, LayerValues& values);
void read_build_options(const yaml::Node& node, LayerValues& values);
void read_project_override(const yaml::Node& node, LayerValues& values);
void read_changelog(const yaml::Node& node, LayerValues& values);

// Ours.
void read_requires_dist(const yaml::Node& node, LayerValues& values);
void read_match_runtime(const yaml::Node& node, LayerValues& values);
void read_never_from_index(const yaml::Node& node, LayerValues& values);
void read_renamed_from(const yaml::Node& node, LayerValues& values);
void read_repository(const yaml::Node& node, LayerValues& values);
[[nodiscard]] std::vector<CouplingEntry> read_couplings(const yaml::Node& node);

/// An item of the global `overrides:`: "name==X", or {require: name==X} or {drop: name}, with or
/// without `variants: [...]`.
struct OverrideItem {
    std::string name;
    LayerValues values;
    std::vector<std::string> variants;
};
[[nodiscard]] OverrideItem read_override(const yaml::Node& node);

/// Keys of a mapping; a Fromager key that is missing here says so.
void only_keys_of_group(
    const yaml::Node& node,
    const std::vector<std::string>& accepted,
    const std::vector<std::string>& fromager_keys = {}
);

}  // namespace wheelforge::config
