// SPDX-License-Identifier: Apache-2.0
// Files that name code objects but hold none: Tensile's solution libraries (.dat, MessagePack, also
// zlib-compressed) and AITER's tables of hand-written kernels (.csv).
#pragma once

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

/// Whether a file of this name is such an index.
[[nodiscard]] bool is_kernel_index(std::string_view path) noexcept;
/// Puts the stems or file names that the index asks for into `index_files`. Throws ReadError.
void read_kernel_index(std::string_view path, ByteView bytes, DeviceCollector& out);

}  // namespace wheelforge::wheel
