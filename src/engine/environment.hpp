// SPDX-License-Identifier: Apache-2.0
// What of a variant reaches one package: variables with who set them, the list of architectures in
// the package's own spelling, the toolchain; and what would go wrong, before anything is built.
//
// A package that uses nothing of the variant gets the lines of `base` alone, so its build is the
// same in every variant.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "build/sandbox.hpp"
#include "config/settings.hpp"
#include "plugin/recipe.hpp"
#include "variant/package_archs.hpp"
#include "variant/toolchain_probe.hpp"
#include "variant/variant.hpp"

namespace wheelforge::engine {

/// A variant on this machine: its definition, the toolchain that was found, the architectures
/// asked for. Constant during a run.
struct VariantHere {
    variant::Variant variant;
    variant::ToolchainProbe toolchain;
    std::string fingerprint;         ///< of the toolchain; empty if there is none
    std::vector<std::string> archs;  ///< canonical; of --arch, else the variant's own
    bool has_device = false;         ///< looked for only where no list says for what to compile
    std::string path;                ///< PATH for commands that give values
    /// What templates may name: toolchain.root, toolchain.version, toolchain.release (7.2),
    /// toolchain.digits (72), toolchain.device_libraries, label.
    std::map<std::string, std::string> names;
    /// "x86_64"; with the interpreter's digest it is in every key.
    std::string host_architecture;
};

/// toolchain.version, toolchain.release and toolchain.digits of a version.
[[nodiscard]] std::map<std::string, std::string> version_names(const pep::Version& version);

/// Looks for the toolchain and reads the list of architectures; "native" becomes what is here.
/// Throws Error{usage} "unknown-arch", "native-arch".
[[nodiscard]] VariantHere settle_variant(
    variant::Variant variant,
    const std::vector<std::string>& arch_lists,
    const variant::Surroundings& where
);

/// A variable of a build and who set it.
struct ExplainedVariable {
    std::string name;
    std::string value;
    std::string origin;
};

struct EnvironmentProblem {
    std::string id;  ///< of errors.yaml
    std::string message;
    std::string advice;
};

struct PackageEnvironment {
    /// In the order in which they were first set; the variant's, then the settings' own.
    std::vector<ExplainedVariable> variables;
    /// Those that could not be given a value, with the reason.
    std::vector<ExplainedVariable> without_value;
    /// "kind value" lines beside the variables that belong into the plan key.
    std::vector<std::string> inputs;
    variant::PackageArchs archs;
    std::vector<EnvironmentProblem> problems;
    bool uses_toolchain = false;
    /// Folders of the toolchain for PATH of the build, and those that its sandbox shows.
    std::vector<std::filesystem::path> toolchain_path;
    std::vector<build::ShownFolder> toolchain_folders;
    std::vector<std::vector<std::string>> setup;  ///< the variant's, with values in place
    plugin::OwnToolchain own_toolchain;           ///< where the build environment brings it

    [[nodiscard]] const ExplainedVariable* find(std::string_view name) const;
};

/// @param passed          --env NAME[=VALUE], which reach every build
/// @param build_requires  names that its source requires of its build; those that settings add are
///                        known
[[nodiscard]] PackageEnvironment environment_of(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    const std::vector<std::string>& passed = {},
    const std::vector<std::string>& build_requires = {}
);

/// Throws Error{usage} for the first problem, which names the others.
void refuse_problems(const PackageEnvironment& environment, std::string_view who);

/// The settings with what the variant adds as variables.
[[nodiscard]] config::PackageSettings
with_environment(config::PackageSettings settings, const PackageEnvironment& environment);

}  // namespace wheelforge::engine
