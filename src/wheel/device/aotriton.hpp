// SPDX-License-Identifier: Apache-2.0
// AOTriton kernel storage (.aks2): a directory and code objects in one xz stream.
#pragma once

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_aks2(ByteView bytes) noexcept;
/// An image of size 0 is a kernel that did not compile; such are counted. Throws ReadError.
void read_aks2(ByteView bytes, DeviceCollector& out);

}  // namespace wheelforge::wheel
