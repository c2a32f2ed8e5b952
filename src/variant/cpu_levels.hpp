// SPDX-License-Identifier: Apache-2.0
// CPUs that wheels have to run on (`target: {cpu: x86-64-v2}`), and compiler options that ask for
// more than those have. Names and levels are data (cpus.yaml).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::variant {

/// Names that a target may have: levels and CPUs of a level.
[[nodiscard]] std::vector<std::string> known_cpus();

/// The first of blank-separated compiler options whose code a CPU of `target` may not run, with
/// why: "-march=native: what the building machine has". nullopt if there is none; names that are
/// not known are let through.
/// @param target  one of known_cpus()
[[nodiscard]] std::optional<std::string>
option_beyond(std::string_view options, const std::string& target);

}  // namespace wheelforge::variant
