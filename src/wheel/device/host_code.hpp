// SPDX-License-Identifier: Apache-2.0
// A host library or object file: the sections in which compilers embed device code, the wrappers
// that register it at load time, and the kernels that the host side believes it can launch.
#pragma once

#include "wheel/device/device_code.hpp"
#include "wheel/elf.hpp"

namespace wheelforge::wheel {

void read_host_code(const ElfImage& image, DeviceCollector& out);

/// The kernels for which the host side holds a handle (HIP) or a launch stub (CUDA).
void read_host_kernels(const ElfImage& image, DeviceCollector& out);

}  // namespace wheelforge::wheel
