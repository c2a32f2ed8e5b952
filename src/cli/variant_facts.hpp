// SPDX-License-Identifier: Apache-2.0
// What a variant's definition says that wheels can be held to.
#pragma once

#include <string>

#include "wheel/verify/request.hpp"

namespace wheelforge::cli {

/// Throws Error{usage} "unknown-variant", or "bad-value" for an arch list that does not parse.
[[nodiscard]] wheel::VariantFacts variant_facts(const std::string& name);

}  // namespace wheelforge::cli
