// SPDX-License-Identifier: Apache-2.0
// What differs between the recorded inputs of two builds (store/inputs.hpp), told in words.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace wheelforge::engine {

struct InputChange {
    std::string kind;    ///< of the line: "environment", "variable", ...
    std::string name;    ///< what of that kind: "setuptools", "ROCM_PATH"
    std::string before;  ///< value; "" where there was none
    std::string after;
    bool strong = true;    ///< false: another build tool, which alone is no reason to build again
    bool rebuilt = false;  ///< a wheel of the build environment: same version, other content
    std::string words;     ///< "ROCM_PATH /opt/rocm-7.1 -> /opt/rocm-7.2"
};

/// Sorted: strong first, then by kind and name. Lines that only sum up others (the plan key) are
/// left out.
/// @param matched  wheels of the build environment that the wheel must match at run time, by name:
///                 strong, unlike the other tools
[[nodiscard]] std::vector<InputChange> changes_between(
    const std::vector<std::string>& before,
    const std::vector<std::string>& after,
    const std::set<std::string>& matched
);

/// As reports show them: an array of objects (strong, kind, name, before, after, words).
[[nodiscard]] Json changes_json(const std::vector<InputChange>& changes);

/// "rebuilt because A, B and C": strong ones if there are any, else the weak ones.
[[nodiscard]] std::string because(const std::vector<InputChange>& changes);

}  // namespace wheelforge::engine
