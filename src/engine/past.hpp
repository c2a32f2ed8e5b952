// SPDX-License-Identifier: Apache-2.0
// What the last complete run into an output folder left.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace wheelforge::engine {

/// By "name==version".
struct Past {
    std::map<std::string, std::string> keys;              ///< build keys in its graph
    std::map<std::string, std::filesystem::path> wheels;  ///< of the runtime set, as published
};

}  // namespace wheelforge::engine
