// SPDX-License-Identifier: Apache-2.0
// What the ids of causes of failed builds mean (src/build/signatures.yaml), for `wheelforge
// explain`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::build {

/// Each cause that has this id, with its advice, as text for people; nullopt for an unknown id.
[[nodiscard]] std::optional<std::string> explain_cause(std::string_view id);
/// Sorted.
[[nodiscard]] std::vector<std::string> cause_ids();

}  // namespace wheelforge::build
