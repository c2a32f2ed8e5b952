// SPDX-License-Identifier: Apache-2.0
// CUDA fat binaries: .nv_fatbin and __nv_relfatbin sections, .fatbin files. The format is not
// documented; what is read here was measured with nvcc 11.8 to 13.5.
#pragma once

#include <cstdint>

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_cuda_fatbin(ByteView bytes, std::uint64_t offset = 0) noexcept;

/// Walks the containers that stand in `bytes` from `at` on, with zero padding between them.
ContainerWalk
read_cuda_containers(ByteView bytes, std::uint64_t at, Trailing trailing, DeviceCollector& out);

}  // namespace wheelforge::wheel
