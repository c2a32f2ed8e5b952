// SPDX-License-Identifier: Apache-2.0
#include "variant/package_archs.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.hpp"

namespace wheelforge::variant {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

const ArchRule*
rule_for(const PackageRules& rules, const Variant& variant, const pep::Version& version) {
    const auto found = std::find_if(rules.archs.begin(), rules.archs.end(), [&](const auto& rule) {
        return applies(rule.scope, variant, version);
    });
    return found == rules.archs.end() ? nullptr : &*found;
}

/// Without regard to what is done about the unsupported.
ArchVerdict judge(const Architectures& table, const ArchRule* rule, const std::string& arch) {
    ArchVerdict verdict;
    verdict.arch = arch;
    verdict.compiled_for = arch;
    if (rule == nullptr || rule->accepts.empty()) {
        return verdict;
    }
    const auto base = base_of(arch);
    if (contains(rule->accepts, base) || contains(rule->accepts, arch)) {
        verdict.has_assembly = rule->assembly.empty() || contains(rule->assembly, base);
        verdict.note = verdict.has_assembly ? "" : "no hand-written kernels";
        return verdict;
    }
    const auto* chip = table.find(arch);
    if (chip != nullptr && !chip->generic.empty() && contains(rule->accepts, chip->generic)) {
        verdict.support = Support::generic;
        verdict.compiled_for = chip->generic;
        verdict.note = "runs code for " + chip->generic;
        return verdict;
    }
    if (chip != nullptr && !chip->fallback.empty() && contains(rule->accepts, chip->fallback)) {
        verdict.support = Support::fallback;
        verdict.compiled_for = chip->fallback;
        verdict.note = "runs code for " + chip->fallback + " if the runtime is told to";
        return verdict;
    }
    verdict.support = Support::unsupported;
    verdict.compiled_for.clear();
    return verdict;
}

/// Where others of the list are compiled for, those do; else the rule says what is built instead.
void resolve_unsupported(const ArchRule& rule, PackageArchs& result) {
    const bool is_rest = !result.build_for.empty();
    for (auto& verdict : result.verdicts) {
        if (verdict.support != Support::unsupported
            || rule.on_unsupported == OnUnsupported::error) {
            continue;
        }
        if (is_rest || rule.on_unsupported == OnUnsupported::skip) {
            verdict.note = "left out";
        } else if (rule.on_unsupported == OnUnsupported::stub) {
            verdict.note = "built without kernels";
            result.stub = true;
        } else {
            verdict.note = "compiled for " + rule.throwaway + " so that others can link to it";
            verdict.compiled_for = rule.throwaway;
            result.build_for = {rule.throwaway};
        }
    }
}

}  // namespace

std::string_view support_name(Support support) noexcept {
    switch (support) {
    case Support::native:
        return "native";
    case Support::generic:
        return "generic";
    case Support::fallback:
        return "override";
    case Support::unsupported:
        return "unsupported";
    }
    return "";
}

std::vector<const ArchVerdict*> PackageArchs::refused() const {
    std::vector<const ArchVerdict*> found;
    const bool all_skipped = build_for.empty() && !stub;
    for (const auto& verdict : verdicts) {
        if (verdict.support == Support::unsupported
            && (rule->on_unsupported == OnUnsupported::error
                || (rule->on_unsupported == OnUnsupported::skip && all_skipped))) {
            found.push_back(&verdict);
        }
    }
    return found;
}

bool applies(const Scope& scope, const Variant& variant, const pep::Version& version) {
    const bool here =
        scope.variants.empty()
        || std::any_of(scope.variants.begin(), scope.variants.end(), [&](const std::string& name) {
               return variant.is(name) || variant.family == name;
           });
    return here && scope.versions.contains(version);
}

PackageArchs judge_archs(
    const Variant& variant,
    const PackageRules& rules,
    const pep::Version& version,
    std::span<const std::string> archs
) {
    PackageArchs result;
    result.rule = rule_for(rules, variant, version);
    for (const auto& arch : archs) {
        auto verdict = judge(variant.architectures, result.rule, arch);
        if (!verdict.compiled_for.empty() && !contains(result.build_for, verdict.compiled_for)) {
            result.build_for.push_back(verdict.compiled_for);
        }
        result.verdicts.push_back(std::move(verdict));
    }
    if (result.rule != nullptr) {
        resolve_unsupported(*result.rule, result);
    }
    return result;
}

std::vector<std::string> outside_of_toolkit(
    const Architectures& table, std::span<const std::string> archs, const pep::Version& toolkit
) {
    std::vector<std::string> reasons;
    for (const auto& arch : archs) {
        const auto* chip = table.find(arch);
        if (chip != nullptr && chip->until && toolkit >= *chip->until) {
            reasons.push_back(fmt::format("{} is gone since {}", arch, chip->until->text()));
        } else if (chip != nullptr && chip->since && toolkit < *chip->since) {
            reasons.push_back(fmt::format("{} is there from {} on", arch, chip->since->text()));
        }
    }
    return reasons;
}

}  // namespace wheelforge::variant
