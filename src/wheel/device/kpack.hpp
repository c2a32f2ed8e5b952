// SPDX-License-Identifier: Apache-2.0
// ROCm kpack: device code that was moved out of a library into a .kpack archive, and the note that
// stays behind in the library (.rocm_kpack_ref).
#pragma once

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_kpack(ByteView bytes) noexcept;
void read_kpack(ByteView bytes, DeviceCollector& out);
/// Content of a .rocm_kpack_ref section.
void read_kpack_reference(ByteView bytes, DeviceCollector& out);

}  // namespace wheelforge::wheel
