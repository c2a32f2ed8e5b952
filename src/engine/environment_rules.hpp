// SPDX-License-Identifier: Apache-2.0
// What would go wrong with a package's environment, known before it is built: toolchain, poison,
// downloads, architectures.
#pragma once

#include "engine/environment.hpp"

namespace wheelforge::engine {

[[nodiscard]] std::vector<EnvironmentProblem> problems_of(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    const PackageEnvironment& environment,
    const std::vector<std::string>& passed
);

}  // namespace wheelforge::engine
