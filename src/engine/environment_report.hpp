// SPDX-License-Identifier: Apache-2.0
// Environments and architectures as `env` and `plan` show them.
#pragma once

#include <string>
#include <vector>

#include "engine/environment.hpp"

namespace wheelforge::engine {

/// A package asked about. Without a version, what is known of the newest ones holds.
struct AskedPackage {
    std::string name;
    pep::Version version;
    bool has_version = false;
    [[nodiscard]] std::string text() const;
};
/// "torch", "torch==2.10.0". Throws Error{usage} "bad-requirement".
[[nodiscard]] AskedPackage asked_package(const std::string& text);

enum class EnvironmentFormat { lines, shell, json };
/// lines: NAME=value, behind it who set it; what has no value and what would go wrong as comments.
/// shell: `export NAME='value'`. json: docs/formats/environment.schema.json.
[[nodiscard]] std::string render_environment(
    const VariantHere& here,
    const AskedPackage& package,
    const PackageEnvironment& environment,
    EnvironmentFormat format
);
/// The same of the variant as a whole: all its variables, for packages that use everything.
[[nodiscard]] config::PackageSettings settings_that_use_everything();

/// What of a run becomes of one package, before anything is built.
struct ArchPlanRow {
    AskedPackage package;
    variant::PackageArchs archs;
    bool uses_archs = false;
    std::vector<EnvironmentProblem> problems;
};
[[nodiscard]] std::vector<ArchPlanRow> plan_archs(
    const VariantHere& here,
    const config::Settings& settings,
    const std::vector<AskedPackage>& packages
);
[[nodiscard]] std::string
render_plan(const VariantHere& here, const std::vector<ArchPlanRow>& rows, bool json);
/// Whether one of them would be refused.
[[nodiscard]] bool is_refused(const std::vector<ArchPlanRow>& rows);

/// What programs of the stack are run with on the architectures of `here`, in the definition's
/// order.
[[nodiscard]] std::vector<variant::VariantVariable> runtime_variables(const VariantHere& here);
/// The same as `export KEY='value'` lines, with a heading, for running and smoke tests of what was
/// built for `here`.
[[nodiscard]] std::string runtime_environment(const VariantHere& here);

}  // namespace wheelforge::engine
