// SPDX-License-Identifier: Apache-2.0
// AMD GPU code objects v2 to v6 (LLVM "User Guide for AMDGPU Backend"): one ELF for one target.
#pragma once

#include <string>

#include "wheel/device/device_code.hpp"
#include "wheel/elf.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_code_object(ByteView bytes) noexcept;
/// Reads the object and its kernels; e_flags are what counts, and what the container or the
/// metadata note say otherwise is an error. Throws ReadError.
void read_code_object(ByteView bytes, const ObjectOrigin& origin, DeviceCollector& out);

/// Target ID of an offload entry or metadata: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+" and
/// "amdgpu9.42-amd-amdhsa-unknown-gfx942" give "gfx90a:xnack+" and "gfx942"; "" if it is none.
[[nodiscard]] std::string target_of_triple(std::string_view triple);

}  // namespace wheelforge::wheel
