// SPDX-License-Identifier: Apache-2.0
// The files settings are read from, each as layers. Internal to config.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/package_layer.hpp"

namespace wheelforge::config {

/// All that the files say, before it is merged for a variant.
struct SettingsFiles {
    std::map<std::string, std::vector<PackageLayer>> layers;  ///< by package, weakest first
    std::map<std::string, std::string> named;  ///< by the user's own files: name -> where first
    std::set<std::string> variants;            ///< that the user's own files name
    std::vector<CouplingEntry> couplings;
    std::vector<SystemTool> tools;
    std::map<std::string, std::vector<std::string>> changelog;  ///< by variant, for all packages

    void add_plugins();
    void add_global_file(const std::string& file, const Complaints& complaints);
    void add_folder(const std::string& folder, const Complaints& complaints);

private:
    void add_packages(const yaml::Node& node, const Complaints& complaints);
    void add_overrides(const yaml::Node& node, const Complaints& complaints);
    void add(const std::string& name, PackageLayer layer);
    /// The same for a file of the user.
    void add_named(const std::string& name, PackageLayer layer, const std::string& origin);
};

/// Throws Error "bad-value" that begins with `where`.
[[nodiscard]] std::string checked_name(std::string_view name, const std::string& where);

}  // namespace wheelforge::config
