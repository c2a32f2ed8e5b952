// SPDX-License-Identifier: Apache-2.0
// What a variant's definition says that wheels can be held to.
#pragma once

#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "engine/environment.hpp"
#include "wheel/verify/request.hpp"

namespace wheelforge::cli {

/// Where a toolchain is looked for: the caller's variables and PATH, the interpreter's programs.
[[nodiscard]] variant::Surroundings
surroundings_of(const Environment& callers, const build::Interpreter& interpreter);
[[nodiscard]] variant::Surroundings surroundings_of(const Environment& callers);

/// A variant where it is only known by name: nothing is built, so no toolchain is looked for.
/// Throws Error{usage} "unknown-variant", or "bad-value" for an arch list that does not parse.
[[nodiscard]] wheel::VariantFacts variant_facts(const std::string& name);
/// A variant on this machine; what the system has counts as provided.
[[nodiscard]] wheel::VariantFacts variant_facts(const engine::VariantHere& here);
/// Of --arch, in the order given. Throws Error{usage} "bad-value".
[[nodiscard]] std::vector<wheel::Arch> parse_archs(const std::vector<std::string>& lists);
/// Those by which wheels are judged: none where a family has names of its own, which no reader of
/// device code knows.
[[nodiscard]] std::vector<wheel::Arch>
archs_to_judge(const variant::Architectures& table, const std::vector<std::string>& archs);

}  // namespace wheelforge::cli
