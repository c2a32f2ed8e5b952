// SPDX-License-Identifier: Apache-2.0
// LLVM offload binaries (magic 10 FF 10 AD): what clang's new driver leaves in the .llvm.offloading
// sections of object files, before the linker makes a fat binary of them.
#pragma once

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_offload_binary(ByteView bytes) noexcept;
/// Reads all that stand one after the other. Throws ReadError.
void read_offload_binaries(ByteView bytes, DeviceCollector& out);

}  // namespace wheelforge::wheel
