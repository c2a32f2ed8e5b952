// SPDX-License-Identifier: Apache-2.0
#include "config/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "config/package_layer.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

namespace fs = std::filesystem;

/// Layers of each package, weakest first.
using Layers = std::map<std::string, std::vector<PackageLayer>>;

const std::vector<std::string> fromager_global_keys{
    "changelog",
    "sbom",
    "wheels",
    "external_commands",
    "pre_built",
};

std::string checked_name(std::string_view name, const std::string& where) {
    const auto normalised = pep::parse_name(name);
    if (!normalised) {
        throw Error{
            ExitCode::usage,
            "bad-value",
            fmt::format("{}: '{}' is no name of a package", where, name)
        };
    }
    return *normalised;
}

SystemTool read_system_tool(const yaml::Node& node, const std::string& requirement) {
    node.only_keys({"program", "version_command", "version_pattern"}, "system_tool");
    const auto required = [&node](std::string_view key) -> const yaml::Node& {
        const auto* value = node.find(key);
        if (value == nullptr) {
            throw Error{
                ExitCode::usage,
                "bad-value",
                fmt::format("{}: system_tool needs '{}'", node.position.text(), key)
            };
        }
        return *value;
    };
    SystemTool tool;
    tool.requirement = requirement;
    tool.program = required("program").as_string();
    tool.version_command = required("version_command").as_strings();
    tool.version_pattern = required("version_pattern").as_string();
    tool.origin = origin_of(node);
    const auto& pattern = required("version_pattern").position;
    try {
        if (std::regex(tool.version_pattern).mark_count() < 1) {
            throw std::regex_error(std::regex_constants::error_paren);
        }
    } catch (const std::regex_error&) {
        throw Error{
            ExitCode::usage,
            "bad-value",
            fmt::format(
                "{}: 'version_pattern': expected a regular expression with one group",
                pattern.text()
            )
        };
    }
    return tool;
}

void load_plugins(Layers& layers, std::vector<SystemTool>& tools) {
    for (const auto path : resources_below("plugins/")) {
        if (!path.ends_with("/plugin.yaml")) {
            continue;
        }
        const std::string file(path);
        const std::string name =
            checked_name(fs::path(file).parent_path().filename().string(), file);
        const auto node = yaml::parse(resource(path).value(), file);
        layers[name].push_back(read_package_layer(node, {"because", "system_tool"}));
        if (const auto* because = node.find("because")) {
            (void)because->as_string();
        }
        if (const auto* tool = node.find("system_tool")) {
            tools.push_back(read_system_tool(*tool, name));
        }
    }
}

void load_global_file(const std::string& file, Layers& layers) {
    const auto node = yaml::load(file);
    only_accepted_keys(node, {"packages"}, fromager_global_keys, "the global settings");
    const auto* packages = node.find("packages");
    if (packages == nullptr || packages->is_null()) {
        return;
    }
    std::set<std::string> seen;
    for (const auto& [written, value] : packages->as_mapping()) {
        const std::string name = checked_name(written, value.key_position.text());
        if (!seen.insert(name).second) {
            throw Error{
                ExitCode::usage,
                "bad-value",
                fmt::format(
                    "{}: '{}' names a package that is already there",
                    value.key_position.text(),
                    written
                )
            };
        }
        layers[name].push_back(read_package_layer(value));
    }
}

/// The settings files of a folder, sorted. What looks like one but would not be read is an error.
std::vector<fs::path> settings_files(const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto& path = entry.path();
        if (path.extension() == ".yml") {
            throw Error{
                ExitCode::usage,
                "settings-file-name",
                fmt::format("{}: settings files end in .yaml", path.string())
            }
                .advise("rename it");
        }
        if (path.extension() == ".yaml" && !path.filename().string().starts_with('.')) {
            files.push_back(path);
        }
    }
    if (error) {
        throw Error{
            ExitCode::usage,
            "file-not-found",
            fmt::format("cannot read the settings folder {}: {}", folder, error.message())
        };
    }
    std::sort(files.begin(), files.end());
    return files;
}

void load_folder(const std::string& folder, Layers& layers) {
    std::map<std::string, fs::path> seen;
    for (const auto& path : settings_files(folder)) {
        const std::string name = checked_name(path.stem().string(), path.string());
        const auto [earlier, is_new] = seen.emplace(name, path);
        if (!is_new) {
            throw Error{
                ExitCode::usage,
                "settings-file-name",
                fmt::format(
                    "{} and {} name the same package", earlier->second.string(), path.string()
                )
            }
                .advise(fmt::format("keep {}.yaml", pep::filename_form(name)));
        }
        layers[name].push_back(read_package_layer(yaml::load(path.string())));
    }
}

PackageSettings merge(
    const std::string& name,
    const std::vector<PackageLayer>& layers,
    const std::vector<std::string>& variant_keys
) {
    PackageSettings settings;
    settings.name = name;
    for (const auto& layer : layers) {
        apply(layer.values, settings);
        variant::lay_over(settings.rules, layer.rules);
    }
    for (const auto& key : variant_keys) {
        for (const auto& layer : layers) {
            const auto values = layer.variants.find(key);
            if (values != layer.variants.end()) {
                apply(values->second, settings);
            }
        }
    }
    return settings;
}

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
    lines.push_back(line("builder", builder.value == Builder::pip ? "pip" : "pep517"));
    std::sort(lines.begin(), lines.end());
    return lines;
}

Settings Settings::load(const Sources& sources) {
    Settings settings;
    Layers layers;
    load_plugins(layers, settings.tools_);
    if (sources.file) {
        load_global_file(*sources.file, layers);
    }
    if (sources.folder) {
        load_folder(*sources.folder, layers);
    }
    for (const auto& [name, list] : layers) {
        settings.packages_[name] = merge(name, list, sources.variant_keys);
    }
    for (const auto& name : sources.variant_pre_built) {
        auto& package = settings.packages_[name];
        package.name = name;
        if (!package.pre_built) {
            package.pre_built = {true, "the variant"};
        }
    }
    for (const auto& written : sources.pre_built) {
        const std::string name = checked_name(written, "--pre-built");
        auto& package = settings.packages_[name];
        package.name = name;
        package.pre_built = {true, "--pre-built"};
    }
    return settings;
}

std::vector<std::string> Settings::packages() const {
    std::vector<std::string> names;
    for (const auto& [name, settings] : packages_) {
        names.push_back(name);
    }
    return names;
}

PackageSettings Settings::package(std::string_view name) const {
    const std::string normalised = pep::normalize_name(name);
    const auto found = packages_.find(normalised);
    if (found != packages_.end()) {
        return found->second;
    }
    PackageSettings settings;
    settings.name = normalised;
    return settings;
}

}  // namespace wheelforge::config
