// SPDX-License-Identifier: Apache-2.0
// CUDA binaries: the ELF of one real architecture, of both ABIs (e_flags hold the SM in their low
// byte up to CUDA 12, in the second byte from ABI 8 on).
#pragma once

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_cubin(ByteView bytes) noexcept;
/// `origin.declared_arch` is what the fat binary says ("sm_90a"): its number must agree with
/// e_flags, its suffix is known to the fat binary alone. Throws ReadError.
void read_cubin(ByteView bytes, const ObjectOrigin& origin, DeviceCollector& out);

}  // namespace wheelforge::wheel
