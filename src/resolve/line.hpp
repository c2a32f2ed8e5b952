// SPDX-License-Identifier: Apache-2.0
// Reading the lines of a Problem.
#pragma once

#include <string>

#include "resolve/problem.hpp"

namespace wheelforge::resolve {

/// Whether a line counts at all: its marker holds and its package is not dropped.
[[nodiscard]] bool applies(const Wanted& line, const Problem& problem);
/// "torch==2.10.* goes with triton==3.6.0"
[[nodiscard]] std::string coupling_text(const Coupling& coupling, const pep::Requirement& required);

}  // namespace wheelforge::resolve
