// SPDX-License-Identifier: Apache-2.0
#include "config/settings_files.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <fmt/core.h>

#include "base/resources.hpp"
#include "config/group_keys.hpp"
#include "config/read_value.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> fromager_global_keys{
    "sbom",
    "wheels",
    "external_commands",
    "pre_built",
};

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

std::vector<std::string> global_changelog_of(const yaml::Node& entries) {
    return entries.is_null() ? std::vector<std::string>() : entries.as_strings();
}

/// The same package twice in one place is a mistake, whatever the spelling.
Error named_twice(const yaml::Node& value) {
    return {
        ExitCode::usage,
        "bad-value",
        fmt::format(
            "{}: '{}' names a package that is already there", value.key_position.text(), value.key
        )
    };
}

/// Where a layer's values go when they hold for some variants only.
PackageLayer layer_of(OverrideItem item) {
    PackageLayer layer;
    if (item.variants.empty()) {
        layer.values = std::move(item.values);
    }
    for (const auto& variant : item.variants) {
        layer.variants[variant] = item.values;
    }
    return layer;
}

/// The settings files of a folder, sorted. What looks like one but would not be read is an error.
std::vector<fs::path> settings_files(const std::string& folder, const Complaints& complaints) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto& path = entry.path();
        if (path.extension() == ".yml") {
            complaints.guard([&] {
                throw Error{
                    ExitCode::usage,
                    "settings-file-name",
                    fmt::format("{}: settings files end in .yaml", path.string())
                }
                    .advise("rename it");
            });
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

}  // namespace

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

void SettingsFiles::add(const std::string& name, PackageLayer layer) {
    layers[name].push_back(std::move(layer));
}

void SettingsFiles::add_named(
    const std::string& name, PackageLayer layer, const std::string& origin
) {
    named.emplace(name, origin);
    for (const auto& [variant, values] : layer.variants) {
        variants.insert(variant);
    }
    add(name, std::move(layer));
}

void SettingsFiles::add_plugins() {
    for (const auto path : resources_below("plugins/")) {
        if (!path.ends_with("/plugin.yaml")) {
            continue;
        }
        const std::string file(path);
        const std::string name =
            checked_name(fs::path(file).parent_path().filename().string(), file);
        const auto node = yaml::parse(resource(path).value(), file);
        add(name, read_package_layer(node, {}, {"because", "expect", "system_tool"}));
        if (const auto* because = node.find("because")) {
            (void)because->as_string();
        }
        if (const auto* tool = node.find("system_tool")) {
            tools.push_back(read_system_tool(*tool, name));
        }
    }
}

void SettingsFiles::add_global_file(const std::string& file, const Complaints& complaints) {
    const auto node = yaml::load(file);
    only_accepted_keys(
        node,
        {"changelog", "couplings", "overrides", "packages"},
        fromager_global_keys,
        "the global settings",
        complaints
    );
    if (const auto* entries = given(node, "changelog")) {
        complaints.guard([&] {
            for (const auto& [variant, texts] : entries->as_mapping()) {
                changelog[variant] = global_changelog_of(texts);
            }
        });
    }
    if (const auto* list = given(node, "couplings")) {
        complaints.guard([&] { couplings = read_couplings(*list); });
    }
    add_packages(node, complaints);
    add_overrides(node, complaints);
}

void SettingsFiles::add_packages(const yaml::Node& node, const Complaints& complaints) {
    const auto* packages = given(node, "packages");
    if (packages == nullptr) {
        return;
    }
    std::set<std::string> seen;
    complaints.guard([&] {
        for (const auto& [written, value] : packages->as_mapping()) {
            complaints.guard([&, &written = written, &value = value] {
                const std::string name = checked_name(written, value.key_position.text());
                if (!seen.insert(name).second) {
                    throw named_twice(value);
                }
                add_named(name, read_package_layer(value, complaints), origin_of(value));
            });
        }
    });
}

void SettingsFiles::add_overrides(const yaml::Node& node, const Complaints& complaints) {
    const auto* overrides = given(node, "overrides");
    if (overrides == nullptr) {
        return;
    }
    complaints.guard([&] {
        for (const auto& each : overrides->as_sequence()) {
            complaints.guard([&] {
                auto item = read_override(each);
                const std::string name = item.name;
                add_named(name, layer_of(std::move(item)), origin_of(each));
            });
        }
    });
}

void SettingsFiles::add_folder(const std::string& folder, const Complaints& complaints) {
    std::map<std::string, fs::path> seen;
    for (const auto& path : settings_files(folder, complaints)) {
        complaints.guard([&] {
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
            add_named(
                name, read_package_layer(yaml::load(path.string()), complaints), path.string()
            );
        });
    }
}

}  // namespace wheelforge::config
