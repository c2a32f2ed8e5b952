// SPDX-License-Identifier: Apache-2.0
// Which device code of a wheel or file serves a wanted architecture, and how.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "wheel/device/arch.hpp"
#include "wheel/inspect.hpp"

namespace wheelforge::wheel {

struct CoverageOf {
    Coverage best = Coverage::none;
    std::set<std::string> kernels;  ///< unique names that serve it
    std::set<std::string> by;       ///< architectures of the code that does, best ones only
    unsigned oldest_ptx = 0;        ///< where only PTX serves: the lowest PTX ISA version, times 10
};

using Aliases = std::map<std::string, std::vector<std::string>>;

/// Entries without kernels (link stubs) serve nothing.
[[nodiscard]] CoverageOf coverage_of(
    const std::vector<const FileReport*>& files, const Arch& wanted, const Aliases& aliases
);

/// "sm_75, sm_80 (PTX), gfx942": architectures with kernels.
[[nodiscard]] std::string held_archs(const std::vector<const FileReport*>& files);

}  // namespace wheelforge::wheel
