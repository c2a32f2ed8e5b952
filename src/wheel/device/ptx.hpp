// SPDX-License-Identifier: Apache-2.0
// PTX, the text that the CUDA driver compiles at load time.
#pragma once

#include <string_view>

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_ptx(std::string_view text) noexcept;
/// Reads `.version`, `.target` and the `.entry` names. Throws ReadError.
void read_ptx(std::string_view text, const ObjectOrigin& origin, DeviceCollector& out);

/// "PTX 9.5" -> 95 (major * 10 + minor); 0 if there is none in `code`.
[[nodiscard]] unsigned newest_ptx(const DeviceCode& code);

}  // namespace wheelforge::wheel
