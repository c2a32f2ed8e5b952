// SPDX-License-Identifier: Apache-2.0
// What a variant's definition says that wheels can be held to.
#pragma once

#include <string>
#include <vector>

#include "wheel/verify/request.hpp"

namespace wheelforge::cli {

/// Throws Error{usage} "unknown-variant", or "bad-value" for an arch list that does not parse.
[[nodiscard]] wheel::VariantFacts variant_facts(const std::string& name);
/// Of --arch, in the order given. Throws Error{usage} "bad-value".
[[nodiscard]] std::vector<wheel::Arch> parse_archs(const std::vector<std::string>& lists);

}  // namespace wheelforge::cli
