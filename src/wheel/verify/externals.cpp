// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/externals.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <unordered_map>

#include "base/resources.hpp"
#include "base/yaml.hpp"

namespace wheelforge::wheel {

namespace {

yaml::Node load(std::string_view path) {
    return yaml::parse(resource(path).value_or(""), std::string(path));
}

std::vector<std::string> list(const yaml::Node& node, const char* key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr ? std::vector<std::string>() : value->as_strings();
}

std::vector<ExternalGroup> load_groups() {
    std::vector<ExternalGroup> groups;
    const yaml::Node root = load("src/wheel/verify/externals.yaml");
    for (const yaml::Node& node : root.as_sequence()) {
        ExternalGroup group;
        group.name = node.find("name")->as_string();
        if (const yaml::Node* family = node.find("family")) {
            group.family = family->as_string();
        }
        group.requires_ = list(node, "requires");
        group.libraries = list(node, "libraries");
        group.symbols = list(node, "symbols");
        if (const yaml::Node* sonames = node.find("sonames")) {
            for (const auto& [stem, majors] : sonames->as_mapping()) {
                for (const auto& [major, version] : majors.as_mapping()) {
                    group.sonames[stem][major] = version.as_string();
                }
            }
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

struct Manylinux {
    std::vector<ManylinuxPolicy> policies;
    std::map<std::string, std::string, std::less<>> aliases;
    std::vector<std::string> libraries;
    std::vector<std::string> versioned;
};

Manylinux load_manylinux() {
    const yaml::Node root = load("src/wheel/verify/manylinux.yaml");
    Manylinux result;
    for (const yaml::Node& node : root.find("policies")->as_sequence()) {
        ManylinuxPolicy policy;
        policy.name = node.find("name")->as_string();
        policy.machine = node.find("machine")->as_string();
        for (const char* family : {"GLIBC", "GLIBCXX", "CXXABI", "GCC"}) {
            policy.newest[family] = node.find(family)->as_string();
        }
        result.policies.push_back(std::move(policy));
    }
    for (const auto& [alias, name] : root.find("aliases")->as_mapping()) {
        result.aliases.emplace(alias, name.as_string());
    }
    result.libraries = list(root, "libraries");
    const std::vector<std::string> loaders = list(root, "loaders");
    result.libraries.insert(result.libraries.end(), loaders.begin(), loaders.end());
    result.versioned = list(root, "versioned");
    return result;
}

const Manylinux& manylinux() {
    static const Manylinux loaded = load_manylinux();
    return loaded;
}

bool any_glob_matches(const std::vector<std::string>& globs, std::string_view text) {
    return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
        return glob_matches(glob, text);
    });
}

using SymbolVersions = std::unordered_map<std::string, std::string>;

SymbolVersions load_stable_abi() {
    SymbolVersions symbols;
    const yaml::Node root = load("src/wheel/verify/abi3.yaml");
    for (const auto& [version, names] : root.as_mapping()) {
        for (const std::string& name : names.as_strings()) {
            symbols.emplace(name, version);
        }
    }
    return symbols;
}

}  // namespace

bool glob_matches(const std::string& glob, std::string_view text) {
    return ::fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
}

const std::vector<ExternalGroup>& external_groups() {
    static const std::vector<ExternalGroup> groups = load_groups();
    return groups;
}

const ExternalGroup* external_group(std::string_view soname) {
    for (const ExternalGroup& group : external_groups()) {
        if (any_glob_matches(group.libraries, soname)) {
            return &group;
        }
    }
    return nullptr;
}

const ExternalGroup* external_group_of_symbol(std::string_view symbol) {
    for (const ExternalGroup& group : external_groups()) {
        const bool known =
            std::any_of(group.symbols.begin(), group.symbols.end(), [&](const std::string& prefix) {
                return symbol.starts_with(prefix);
            });
        if (known) {
            return &group;
        }
    }
    return nullptr;
}

const ManylinuxPolicy* manylinux_policy(std::string_view platform) {
    for (const ManylinuxPolicy& policy : manylinux().policies) {
        if (platform == policy.name + "_" + policy.machine) {
            return &policy;
        }
        for (const auto& [alias, name] : manylinux().aliases) {
            if (name == policy.name && platform == alias + "_" + policy.machine) {
                return &policy;
            }
        }
    }
    return nullptr;
}

bool is_system_library(std::string_view soname) {
    return any_glob_matches(manylinux().libraries, soname);
}

bool has_only_versioned_symbols(std::string_view soname) {
    return any_glob_matches(manylinux().versioned, soname);
}

std::optional<std::string> stable_abi_since(std::string_view symbol) {
    static const SymbolVersions symbols = load_stable_abi();
    const auto found = symbols.find(std::string(symbol));
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace wheelforge::wheel
