// SPDX-License-Identifier: Apache-2.0
#include "variant/package_rules.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.hpp"
#include "variant/reading.hpp"

namespace wheelforge::variant {
namespace {

Scope read_scope(const yaml::Node& node) {
    return {texts_at(node, "variants"), versions_at(node, "versions")};
}

/// "error", "skip", "stub" or "throwaway:ARCH".
void read_on_unsupported(const yaml::Node& node, ArchRule& rule) {
    constexpr std::string_view throwaway = "throwaway:";
    const std::string& text = node.as_string();
    if (text.starts_with(throwaway) && text.size() > throwaway.size()) {
        rule.on_unsupported = OnUnsupported::throwaway;
        rule.throwaway = text.substr(throwaway.size());
    } else if (text == "skip") {
        rule.on_unsupported = OnUnsupported::skip;
    } else if (text == "stub") {
        rule.on_unsupported = OnUnsupported::stub;
    } else if (text != "error") {
        throw bad_value(node, "expected error, skip, stub or throwaway:ARCH");
    }
}

ArchRule read_arch_rule(const yaml::Node& node) {
    node.only_keys(
        {"variants",
         "versions",
         "accepts",
         "assembly",
         "variables",
         "on_unsupported",
         "stub",
         "source"},
        "an entry of archs"
    );
    ArchRule rule;
    rule.scope = read_scope(node);
    rule.accepts = texts_at(node, "accepts");
    rule.assembly = texts_at(node, "assembly");
    rule.source = text_at(node, "source");
    rule.origin = origin_of(node);
    if (const auto* variables = given(node, "variables")) {
        for (const auto& each : variables->as_sequence()) {
            rule.variables.push_back(read_arch_variable(each));
        }
    }
    if (const auto* on_unsupported = given(node, "on_unsupported")) {
        read_on_unsupported(*on_unsupported, rule);
    }
    if (const auto* stub = given(node, "stub")) {
        rule.stub = read_variables(*stub);
    }
    return rule;
}

SwitchRule read_switch(const yaml::Node& node) {
    node.only_keys({"variants", "versions", "env", "source"}, "an entry of switches");
    SwitchRule rule;
    rule.scope = read_scope(node);
    if (const auto* env = given(node, "env")) {
        rule.variables = read_variables(*env);
    }
    return rule;
}

PoisonRule read_poison_rule(const yaml::Node& node) {
    node.only_keys(
        {"variants", "versions", "variable", "matches", "because", "advice", "source"},
        "an entry of poison"
    );
    PoisonRule rule;
    rule.scope = read_scope(node);
    rule.variable = variable_name_at(node, "variable");
    rule.matches = pattern_at(node, "matches");
    rule.because = text_at(node, "because");
    rule.advice = text_at(node, "advice");
    rule.source = text_at(node, "source");
    rule.origin = origin_of(node);
    return rule;
}

DownloadRule read_download(const yaml::Node& node) {
    node.only_keys(
        {"variants", "versions", "what", "off", "advice", "source"}, "an entry of downloads"
    );
    DownloadRule rule;
    rule.scope = read_scope(node);
    rule.what = text_at(node, "what");
    rule.advice = text_at(node, "advice");
    rule.source = text_at(node, "source");
    rule.origin = origin_of(node);
    const auto* off = given(node, "off");
    if (off == nullptr || off->as_mapping().empty()) {
        throw bad_value(node, "'off' must name a variable that stops the download");
    }
    for (const auto& [name, value] : off->as_mapping()) {
        if (!is_variable_name(name)) {
            throw bad_value(value, "expected the name of a variable");
        }
        rule.off.push_back({name, value.is_null() ? std::nullopt : std::optional(value.as_string())}
        );
    }
    return rule;
}

BuildConstraint read_build_constraint(const yaml::Node& node) {
    node.only_keys(
        {"variants", "versions", "constrain", "because", "source"}, "an entry of build_constraints"
    );
    auto requirement = pep::Requirement::parse(text_at(node, "constrain"));
    if (!requirement || requirement->specifier.empty()) {
        throw bad_value(node, "'constrain' must be a name and versions, as cmake<4");
    }
    return {read_scope(node), std::move(*requirement), text_at(node, "because"), origin_of(node)};
}

template <typename Rule, typename Read>
std::vector<Rule> read_each(const yaml::Node& node, std::string_view key, Read read) {
    std::vector<Rule> rules;
    if (const auto* list = given(node, key)) {
        for (const auto& each : list->as_sequence()) {
            rules.push_back(read(each));
        }
    }
    return rules;
}

std::vector<std::string> read_uses(const yaml::Node& node) {
    auto uses = texts_at(node, "uses");
    for (const auto& each : uses) {
        if (!is_variable_name(each)) {
            throw bad_value(
                *given(node, "uses"),
                fmt::format(
                    "'{}' is neither toolchain, archs, label, env nor the name of a variable",
                    printable(each)
                )
            );
        }
    }
    return uses;
}

template <typename Rule>
void put_before(std::vector<Rule>& rules, const std::vector<Rule>& upper) {
    rules.insert(rules.begin(), upper.begin(), upper.end());
}

}  // namespace

bool PackageRules::use(std::string_view what) const {
    return std::find(uses.begin(), uses.end(), what) != uses.end();
}

const std::vector<std::string>& package_rule_keys() {
    static const std::vector<std::string> keys{
        "uses", "archs", "switches", "poison", "downloads", "build_constraints"
    };
    return keys;
}

std::vector<PoisonRule> read_poison(const yaml::Node& node) {
    return read_each<PoisonRule>(node, "poison", read_poison_rule);
}

PackageRules read_package_rules(const yaml::Node& node) {
    PackageRules rules;
    if (node.is_null()) {
        return rules;
    }
    rules.uses = read_uses(node);
    rules.archs = read_each<ArchRule>(node, "archs", read_arch_rule);
    rules.switches = read_each<SwitchRule>(node, "switches", read_switch);
    rules.poison = read_poison(node);
    rules.downloads = read_each<DownloadRule>(node, "downloads", read_download);
    rules.build_constraints =
        read_each<BuildConstraint>(node, "build_constraints", read_build_constraint);
    return rules;
}

void lay_over(PackageRules& rules, const PackageRules& upper) {
    for (const auto& each : upper.uses) {
        if (!rules.use(each)) {
            rules.uses.push_back(each);
        }
    }
    put_before(rules.archs, upper.archs);
    rules.switches.insert(rules.switches.end(), upper.switches.begin(), upper.switches.end());
    put_before(rules.poison, upper.poison);
    put_before(rules.downloads, upper.downloads);
    put_before(rules.build_constraints, upper.build_constraints);
}

}  // namespace wheelforge::variant
