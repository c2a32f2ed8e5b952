// SPDX-License-Identifier: Apache-2.0
// One list of architectures and one package: what will be native, run by another ISA's code, or
// not at all; and for what it is compiled then.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "variant/package_rules.hpp"
#include "variant/variant.hpp"

namespace wheelforge::variant {

enum class Support {
    native,
    generic,   ///< by code for the generic ISA that covers it
    fallback,  ///< only when the runtime is told to take it for another
    unsupported,
};
[[nodiscard]] std::string_view support_name(Support support) noexcept;

struct ArchVerdict {
    std::string arch;
    Support support = Support::native;
    std::string compiled_for;  ///< what goes into its list; empty: nothing
    bool has_assembly = true;  ///< false where hand-written kernels exist for others only
    std::string note;
};

struct PackageArchs {
    std::vector<ArchVerdict> verdicts;   ///< in the order asked for
    std::vector<std::string> build_for;  ///< canonical, in order, each once
    const ArchRule* rule = nullptr;      ///< which applied; nullptr: none
    bool stub = false;                   ///< built without kernels, by the rule's `stub`
    /// Those that stop the build: unsupported, and the rule says error.
    [[nodiscard]] std::vector<const ArchVerdict*> refused() const;
};

/// Whether a scope holds for a variant and a version.
[[nodiscard]] bool applies(const Scope& scope, const Variant& variant, const pep::Version& version);

/// @param archs  canonical; they may hold "native"
[[nodiscard]] PackageArchs judge_archs(
    const Variant& variant,
    const PackageRules& rules,
    const pep::Version& version,
    std::span<const std::string> archs
);

/// Architectures that a toolkit does not have yet, or no more; each with the reason.
[[nodiscard]] std::vector<std::string> outside_of_toolkit(
    const Architectures& table, std::span<const std::string> archs, const pep::Version& toolkit
);

}  // namespace wheelforge::variant
