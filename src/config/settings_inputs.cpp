// SPDX-License-Identifier: Apache-2.0
// What of a package's settings goes into its plan key.
#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "config/settings.hpp"

namespace wheelforge::config {

namespace {

std::string line(std::string_view key, const std::string& value) {
    return fmt::format("{} {}", key, dump_json_line(Json(value)));
}

}  // namespace

std::vector<std::string> PackageSettings::inputs() const {
    std::vector<std::string> lines;
    std::map<std::string, int> times;
    std::string order;
    bool has_template = false;
    for (const auto& variable : env) {
        const int time = ++times[variable.name];
        const std::string again = time > 1 ? fmt::format("#{}", time) : "";
        lines.push_back(line(fmt::format("env.{}{}", variable.name, again), variable.value));
        order += (order.empty() ? "" : ",") + variable.name;
        has_template = has_template || variable.value.find('$') != std::string::npos;
    }
    if (has_template) {  // only then does it matter which came first
        lines.push_back(line("env-order", order));
    }
    for (const auto& [setting, values] : config_settings) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto key = dump_json_line(Json(setting));
            lines.push_back(line(fmt::format("config_settings.{}.{}", key, i), values[i]));
        }
    }
    if (build_dir) {
        lines.push_back(line("build_dir", build_dir->value));
    }
    if (hipify) {
        for (std::size_t i = 0; i < hipify->value.size(); ++i) {
            lines.push_back(line(fmt::format("hipify.{}", i), hipify->value[i]));
        }
    }
    lines.push_back(line("builder", builder.value == Builder::pip ? "pip" : "pep517"));
    std::sort(lines.begin(), lines.end());
    return lines;
}

unsigned PackageSettings::build_tag(const pep::Version& version) const {
    const auto entries = build.changelog.find(version.without_local().text());
    const auto own = entries == build.changelog.end() ? 0 : entries->second.value.size();
    return global_changelog + static_cast<unsigned>(own);
}

}  // namespace wheelforge::config
