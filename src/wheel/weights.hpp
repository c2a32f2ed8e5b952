// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a file are: per section, and inside device sections per architecture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wheel/inspect.hpp"

namespace wheelforge::wheel {

struct Weight {
    std::string section;  ///< "" for a file without sections
    std::string arch;     ///< "" for host code and for what containers themselves take
    std::uint64_t bytes = 0;
};

/// Heaviest first.
[[nodiscard]] std::vector<Weight> weights_of(const FileReport& file);

}  // namespace wheelforge::wheel
