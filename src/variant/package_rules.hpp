// SPDX-License-Identifier: Apache-2.0
// What is known of one package and accelerators, by version: what it takes from a variant, which
// architectures it compiles for and how it is told, which variables send it down the wrong road,
// what it downloads behind one's back. Data of plugins/*/plugin.yaml and of settings files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.hpp"
#include "pep/requirement.hpp"
#include "pep/specifier.hpp"
#include "variant/architectures.hpp"
#include "variant/variable.hpp"

namespace wheelforge::variant {

/// For which variants and versions something holds.
struct Scope {
    std::vector<std::string> variants;  ///< names or families; empty: all
    pep::SpecifierSet versions;         ///< empty: all
};

/// What to do about an architecture that a package cannot be compiled for.
enum class OnUnsupported {
    error,     ///< refuse before anything is built
    skip,      ///< leave it out of this package's list
    stub,      ///< build without kernels, by the variables of `stub`
    throwaway  ///< build for another one, so that what links to it can be linked
};

struct ArchRule {
    Scope scope;
    std::vector<std::string>
        accepts;  ///< canonical, with generic ISAs; empty: whatever is asked for
    std::vector<std::string> assembly;  ///< those it has hand-written kernels for
    std::vector<ArchVariable> variables;
    OnUnsupported on_unsupported = OnUnsupported::error;
    std::string throwaway;
    std::vector<VariantVariable> stub;
    std::string source;  ///< where that is known from
    std::string origin;
};

/// Variables that are true switches at certain versions only.
struct SwitchRule {
    Scope scope;
    std::vector<VariantVariable> variables;
};

struct PoisonRule {
    Scope scope;
    std::string variable;
    std::string matches;  ///< regular expression found in the value; empty: any value
    std::string because;
    std::string advice;
    std::string source;
    std::string origin;
};

/// One variable that stops a download, given the value (nullopt: any).
struct OffSwitch {
    std::string name;
    std::optional<std::string> value;
};

struct DownloadRule {
    Scope scope;
    std::string what;
    std::vector<OffSwitch> off;  ///< all of them are needed
    std::string advice;
    std::string source;
    std::string origin;
};

/// Bounds of build tools that its own metadata do not state: "cmake<4".
struct BuildConstraint {
    Scope scope;
    pep::Requirement requirement;
    std::string because;
    std::string origin;
};

struct PackageRules {
    /// "toolchain", "archs", "label", "env" (all variables of the variant), or names of variables.
    std::vector<std::string> uses;
    std::vector<ArchRule> archs;  ///< the first that applies counts
    std::vector<SwitchRule> switches;
    std::vector<PoisonRule> poison;
    std::vector<DownloadRule> downloads;
    std::vector<BuildConstraint> build_constraints;

    [[nodiscard]] bool uses_any_of_variant() const noexcept { return !uses.empty(); }
    [[nodiscard]] bool use(std::string_view what) const;
};

/// The keys that read_package_rules reads.
[[nodiscard]] const std::vector<std::string>& package_rule_keys();
/// Reads those keys; others are the caller's. Throws Error{usage} with file:line:column.
[[nodiscard]] PackageRules read_package_rules(const yaml::Node& node);
/// Poison alone, as a variant's definition has it too.
[[nodiscard]] std::vector<PoisonRule> read_poison(const yaml::Node& node);
/// What `upper` says comes before what `rules` says; `uses` are united.
void lay_over(PackageRules& rules, const PackageRules& upper);

}  // namespace wheelforge::variant
