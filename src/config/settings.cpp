// SPDX-License-Identifier: Apache-2.0
#include "config/settings.hpp"

#include <algorithm>

#include "config/settings_files.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

/// pip's word for every distribution.
constexpr std::string_view all_distributions = ":all:";

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

bool applies(const std::vector<std::string>& variants, const std::vector<std::string>& keys) {
    return variants.empty()
           || std::any_of(variants.begin(), variants.end(), [&](const std::string& variant) {
                  return std::find(keys.begin(), keys.end(), variant) != keys.end();
              });
}

void take_couplings(
    const std::vector<CouplingEntry>& entries,
    const std::vector<std::string>& variant_keys,
    std::vector<CouplingRule>& couplings
) {
    for (const auto& entry : entries) {
        if (applies(entry.variants, variant_keys)) {
            couplings.push_back(entry.rule);
        }
    }
}

/// Variants extend `base`; the family is what stands on it.
std::string family_of(const std::vector<std::string>& variant_keys) {
    const auto first = std::find_if(variant_keys.begin(), variant_keys.end(), [](const auto& key) {
        return key != "base";
    });
    return first == variant_keys.end() ? std::string() : *first;
}

SettingsFiles read_files(const Settings::Sources& sources, const Complaints& complaints) {
    SettingsFiles files;
    files.add_plugins();
    if (!sources.plugins) {
        files.layers.clear();  // programs that stand in for build requirements stay known
    }
    if (sources.file) {
        complaints.guard([&] { files.add_global_file(*sources.file, complaints); });
    }
    if (sources.folder) {
        complaints.guard([&] { files.add_folder(*sources.folder, complaints); });
    }
    return files;
}

}  // namespace

Settings Settings::load(const Sources& sources) {
    return load(sources, Complaints());
}

Settings Settings::load(const Sources& sources, std::vector<Error>& problems) {
    return load(sources, Complaints(problems));
}

Settings Settings::load(const Sources& sources, const Complaints& complaints) {
    auto files = read_files(sources, complaints);
    Settings settings;
    settings.tools_ = std::move(files.tools);
    settings.named_ = std::move(files.named);
    settings.variants_ = {files.variants.begin(), files.variants.end()};
    take_couplings(files.couplings, sources.variant_keys, settings.couplings_);
    for (const auto& key : sources.variant_keys) {
        const auto entries = files.changelog.find(key);
        settings.global_changelog_ +=
            entries == files.changelog.end() ? 0U : static_cast<unsigned>(entries->second.size());
    }
    for (const auto& [name, layers] : files.layers) {
        settings.packages_[name] = merge(name, layers, sources.variant_keys);
        for (const auto& layer : layers) {
            take_couplings(layer.couplings, sources.variant_keys, settings.couplings_);
        }
    }
    for (const auto& name : sources.variant_pre_built) {
        auto& package = settings.packages_[name];
        if (!package.pre_built) {
            package.pre_built = {true, "the variant"};
        }
    }
    for (const auto& written : sources.pre_built) {
        if (written == all_distributions) {
            settings.all_pre_built_ = true;
            continue;
        }
        settings.packages_[checked_name(written, "--pre-built")].pre_built = {true, "--pre-built"};
    }
    if (sources.patches) {
        for (auto& [name, patches] : load_patches(*sources.patches, sources.variant_keys)) {
            settings.packages_[name].patches = std::move(patches);
            settings.named_.emplace(name, *sources.patches);
        }
    }
    const std::string variant = sources.variant_keys.empty() ? "" : sources.variant_keys.back();
    for (auto& [name, package] : settings.packages_) {
        package.name = name;
        if (auto& path = package.resolution.requires_from) {
            path->value = expand_variant(*path, variant, family_of(sources.variant_keys));
        }
        package.global_changelog = settings.global_changelog_;
    }
    return settings;
}

PackageSettings Settings::package(std::string_view name) const {
    const std::string normalised = pep::normalize_name(name);
    const auto found = packages_.find(normalised);
    PackageSettings settings;
    if (found != packages_.end()) {
        settings = found->second;
    }
    settings.name = normalised;
    settings.global_changelog = global_changelog_;
    if (all_pre_built_ && !settings.pre_built) {
        settings.pre_built = {true, "--pre-built :all:"};
    }
    return settings;
}

PackageSettings& Settings::entry(const std::string& name) {
    const auto [position, fresh] = packages_.try_emplace(name);
    if (fresh) {
        position->second.name = name;
        position->second.global_changelog = global_changelog_;
    }
    return position->second;
}

void Settings::take_as_wheel(const std::string& name, const std::string& origin) {
    entry(name).pre_built = {true, origin};
}

void Settings::take_from_index(
    const std::string& name, const std::string& url, const std::string& origin
) {
    auto& index = entry(name).source.index_url;
    if (!index) {
        index = {url, origin};
    }
}

void Settings::drop(const std::string& name, const std::string& origin) {
    entry(name).resolution.drop = {true, origin};
}

std::optional<std::string> Settings::renamed(std::string_view name) const {
    for (const auto& [present, package] : packages_) {
        for (const auto& former : package.resolution.renamed_from) {
            if (former.name == name) {
                return present;
            }
        }
    }
    return std::nullopt;
}

}  // namespace wheelforge::config
