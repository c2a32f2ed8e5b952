// SPDX-License-Identifier: Apache-2.0
// What one YAML mapping says of one package: a settings file, an entry of `packages:`, a plugin.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/yaml.hpp"
#include "config/complaints.hpp"
#include "config/settings.hpp"
#include "variant/package_rules.hpp"

namespace wheelforge::config {

/// Settings with or without `variants.<name>` around them.
struct LayerValues {
    std::vector<VariableSetting> env;
    Optional<bool> pre_built;
    Optional<std::vector<std::string>> hipify;
    Optional<std::string> wheel_server_url;
    std::map<std::string, std::vector<std::string>> config_settings;
    Optional<std::string> build_dir;
    Optional<Builder> builder;
    ResolutionRules resolution;
    SourceRules source;
    BuildRules build;
};

/// A coupling and the variants it holds for; none: all.
struct CouplingEntry {
    CouplingRule rule;
    std::vector<std::string> variants;
};

struct PackageLayer {
    LayerValues values;
    variant::PackageRules rules;
    std::map<std::string, LayerValues> variants;
    std::vector<CouplingEntry> couplings;
};

/// Reads the accepted keys. `more_keys` are the caller's own, which are left alone.
[[nodiscard]] PackageLayer read_package_layer(
    const yaml::Node& node,
    const Complaints& complaints,
    const std::vector<std::string>& more_keys = {}
);

/// Lays `upper` over `settings`: environment appended, config settings by key, the rest replaced.
void apply(const LayerValues& upper, PackageSettings& settings);

/// Refuses keys other than `accepted`; one that Fromager has says that it is not supported yet.
void only_accepted_keys(
    const yaml::Node& node,
    const std::vector<std::string>& accepted,
    const std::vector<std::string>& fromager_keys,
    std::string_view what,
    const Complaints& complaints
);

}  // namespace wheelforge::config
