// SPDX-License-Identifier: Apache-2.0
// Intel GPU code as the SYCL compiler embeds it: sections __CLANG_OFFLOAD_BUNDLE__sycl-<target> of
// zstd frames, holding SPIR-V or an archive of device binaries; names in .tgtsym.
#pragma once

#include "wheel/device/device_code.hpp"
#include "wheel/elf.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_spirv(ByteView bytes) noexcept;
void read_spirv(
    ByteView bytes, const std::string& target, const ObjectOrigin& origin, DeviceCollector& out
);
/// Reads all sections of this kind; does nothing in a library without.
void read_sycl_sections(const ElfImage& image, DeviceCollector& out);

}  // namespace wheelforge::wheel
