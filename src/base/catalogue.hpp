// SPDX-License-Identifier: Apache-2.0
// What every Error id means: src/base/errors.yaml, for `wheelforge explain ID` and the manual.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

struct ErrorEntry {
    std::string id;
    int exit = 0;         ///< the exit code it leads to
    std::string meaning;  ///< one or two sentences
    std::string advice;   ///< what to do; may be empty
};

[[nodiscard]] std::optional<ErrorEntry> explain(std::string_view id);
/// Sorted.
[[nodiscard]] std::vector<std::string> error_ids();

}  // namespace wheelforge
