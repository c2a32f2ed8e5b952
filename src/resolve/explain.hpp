// SPDX-License-Identifier: Apache-2.0
// From a refutation to the words of a Conflict.
#pragma once

#include "resolve/conflict.hpp"
#include "resolve/model.hpp"

namespace wheelforge::resolve {

/// The model's search must have found that there is no solution.
[[nodiscard]] Conflict explain(const Model& model);

}  // namespace wheelforge::resolve
