// SPDX-License-Identifier: Apache-2.0
// The newest PTX that the oldest driver in use can compile: it refuses newer PTX at load time.
#pragma once

#include <optional>
#include <string>

#include "wheel/verify/request.hpp"

namespace wheelforge::wheel {

struct DriverFloor {
    unsigned ptx = 0;    ///< PTX ISA version times 10; 0 if nothing is known
    std::string origin;  ///< "the driver of CUDA 13.0"
};

/// What the variant declares, else the oldest driver that runs programs of the CUDA major that
/// wrote `ptx` (any 12.x program starts on the driver of 12.0).
[[nodiscard]] DriverFloor driver_floor(const std::optional<VariantFacts>& variant, unsigned ptx);

}  // namespace wheelforge::wheel
