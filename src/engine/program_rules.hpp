// SPDX-License-Identifier: Apache-2.0
// Programs of the system that builds of a variant rely on: whether the one that is there will do,
// and whether a build would run another one instead.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/environment.hpp"
#include "engine/job.hpp"

namespace wheelforge::engine {

class Scopes;

/// Whether a rule is about a toolchain of this version. As long as that is not known, it is.
[[nodiscard]] bool holds_for(const variant::ProgramRule& rule, const pep::Version* toolchain);
/// Of the toolchain that was found; nullptr if none was, or it does not tell.
[[nodiscard]] const pep::Version* toolchain_version(const VariantHere& here);
/// Of the system's own program; nullopt if it is not there or does not tell.
[[nodiscard]] std::optional<pep::Version> version_of(const variant::ProgramRule& rule);
/// "3.25.1 < 3.28.3; why", or nullopt when its version will do or is not known.
[[nodiscard]] std::optional<std::string>
version_fault(const VariantHere& here, const variant::ProgramRule& rule);
/// Commands that bring a better one.
[[nodiscard]] std::vector<std::string> mend_of(const variant::ProgramRule& rule);
/// Whether a program belongs to a Python installation: it is one of its scripts, or stands in its
/// folder.
[[nodiscard]] bool is_of_python(const std::filesystem::path& program);

/// Why the build of a package that uses the toolchain must not start with these tools: a wheel
/// would stand before the system's program, or that has a version that will not do.
[[nodiscard]] std::optional<Failure> unfit_programs(
    const VariantHere& here,
    const PreparedSource& source,
    const resolve::Resolution& scope,
    const Scopes& scopes
);

}  // namespace wheelforge::engine
