// SPDX-License-Identifier: Apache-2.0
// What the plugins that we ship say of the kernels of their packages.
#pragma once

#include <map>
#include <string>

#include "wheel/verify/expectation.hpp"

namespace wheelforge::wheel {

/// Of the key `expect` of plugins/NAME/plugin.yaml, by normalised name.
[[nodiscard]] const std::map<std::string, PackageExpectation>& plugin_expectations();

}  // namespace wheelforge::wheel
