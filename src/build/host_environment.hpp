// SPDX-License-Identifier: Apache-2.0
// Distributions that are installed already (in the environment of a container image, in a folder),
// made usable as any other: each becomes a wheel again, by its RECORD.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "pep/version.hpp"

namespace wheelforge::build {

struct HostDistribution {
    std::string name;  ///< normalised
    pep::Version version;
    std::filesystem::path dist_info;
    std::filesystem::path prefix;  ///< files outside of it are none of its own
};

/// What is installed in a virtual environment, or in a folder that is laid out like site-packages.
/// Without the installers that an environment is made with (pip, setuptools, wheel).
/// Throws Error{usage} "host-environment" for a folder that is neither, or made for another Python.
[[nodiscard]] std::vector<HostDistribution>
host_distributions(const std::filesystem::path& folder, const Interpreter& interpreter);

/// The distribution as a wheel below `folder`; one that is there already, of the same installation,
/// is used. Equal installed files give equal bytes. Throws Error{usage} "host-distribution" for one
/// without RECORD or WHEEL, or with files that are missing or outside of the prefix.
[[nodiscard]] std::filesystem::path
pack_distribution(const HostDistribution& distribution, const std::filesystem::path& folder);

}  // namespace wheelforge::build
