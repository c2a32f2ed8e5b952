// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/policy.hpp"

#include <fnmatch.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"
#include "wheel/verify/catalogue.hpp"

namespace wheelforge::wheel {

namespace {

void refuse_unknown_check(const std::string& id, const yaml::Node& node) {
    if (is_check(id) || id.ends_with("*")) {
        return;
    }
    Error error(
        ExitCode::usage,
        "unknown-id",
        fmt::format("{}: there is no check '{}'", node.key_position.text(), printable(id))
    );
    for (const std::string& near : nearest(id, check_ids())) {
        error.advise("did you mean " + near + "?");
    }
    throw error;
}

LevelOverride read_level(const yaml::Node& node) {
    node.only_keys({"level", "because"}, "a level");
    const yaml::Node* level = node.find("level");
    const yaml::Node* because = node.find("because");
    LevelOverride result;
    result.origin = node.key_position.text();
    const auto parsed = level == nullptr ? std::nullopt : parse_level(level->as_string());
    if (!parsed) {
        throw Error(
            ExitCode::usage, "bad-value", result.origin + ": level is error, warn, info or off"
        );
    }
    if (because == nullptr || trim(because->as_string()).empty()) {
        throw Error(
            ExitCode::usage, "bad-value", result.origin + ": a changed level needs because:"
        )
            .advise("say in one sentence why the check is judged differently here");
    }
    result.level = *parsed;
    result.because = because->as_string();
    return result;
}

PackagePolicy read_package_policy(const yaml::Node& node) {
    std::vector<std::string> keys = expectation_keys();
    keys.emplace_back("levels");
    node.only_keys(keys, "a package of a policy file");
    PackagePolicy package;
    package.expectation = read_expectation(node);
    if (const yaml::Node* levels = node.find("levels")) {
        for (const auto& [id, level] : levels->as_mapping()) {
            refuse_unknown_check(id, level);
            package.levels.emplace(id, read_level(level));
        }
    }
    return package;
}

const LevelOverride* find_level(const PackagePolicy& package, std::string_view id) {
    if (const auto exact = package.levels.find(id); exact != package.levels.end()) {
        return &exact->second;
    }
    for (const auto& [pattern, level] : package.levels) {
        if (::fnmatch(pattern.c_str(), std::string(id).c_str(), 0) == 0) {
            return &level;
        }
    }
    return nullptr;
}

}  // namespace

const LevelOverride* Policy::level(std::string_view package, std::string_view id) const {
    for (const std::string_view name : {package, std::string_view("*")}) {
        const auto found = packages.find(name);
        const LevelOverride* level =
            found == packages.end() ? nullptr : find_level(found->second, id);
        if (level != nullptr) {
            return level;
        }
    }
    return nullptr;
}

const PackageExpectation* Policy::expectation(std::string_view package) const {
    const auto found = packages.find(package);
    return found == packages.end() ? nullptr : &found->second.expectation;
}

Policy parse_policy(std::string_view text, const std::string& file) {
    const yaml::Node root = yaml::parse(text, file);
    Policy policy;
    policy.text = text;
    if (root.is_null()) {
        return policy;
    }
    root.only_keys({"packages"}, "a policy file");
    if (const yaml::Node* packages = root.find("packages")) {
        for (const auto& [name, package] : packages->as_mapping()) {
            policy.packages[name == "*" ? name : pep::normalize_name(name)] =
                read_package_policy(package);
        }
    }
    return policy;
}

Policy load_policy(const std::filesystem::path& path) {
    return parse_policy(read_file(path), path.string());
}

}  // namespace wheelforge::wheel
