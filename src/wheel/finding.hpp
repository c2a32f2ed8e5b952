// SPDX-License-Identifier: Apache-2.0
// What a check says about a wheel. Checks grow; this value does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::wheel {

enum class Level { off, info, warn, error };
[[nodiscard]] std::string_view level_name(Level level) noexcept;

struct Finding {
    std::string id;  ///< stable, kebab-case, known to `wheelforge explain`
    Level level = Level::error;
    std::string file;      ///< member of the wheel, or "" for the wheel as a whole
    std::string evidence;  ///< what was seen
    std::string advice;    ///< what to do; may be empty
};

[[nodiscard]] bool has_errors(const std::vector<Finding>& findings) noexcept;

}  // namespace wheelforge::wheel
