// SPDX-License-Identifier: Apache-2.0
// Build tools and the environment variables that they read themselves (variable_readers.yaml).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace wheelforge::engine {

/// Who reads the variable in a build with these requirements (normalised names): "CMake"; "" if
/// nobody that is known does.
[[nodiscard]] std::string
reader_of(const std::string& variable, const std::set<std::string>& requirements);

}  // namespace wheelforge::engine
