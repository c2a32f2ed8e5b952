// SPDX-License-Identifier: Apache-2.0
// Clang offload bundles and their compressed form (CCOB versions 1 to 3), as .hip_fatbin sections
// and .co/.hsaco files hold them: one or more, one after the other.
#pragma once

#include <cstdint>

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_hip_container(ByteView bytes, std::uint64_t offset = 0) noexcept;

/// Walks the containers that stand in `bytes` from `at` on, with zero padding between them.
ContainerWalk
read_hip_containers(ByteView bytes, std::uint64_t at, Trailing trailing, DeviceCollector& out);

}  // namespace wheelforge::wheel
