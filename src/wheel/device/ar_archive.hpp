// SPDX-License-Identifier: Apache-2.0
// System V archives ("!<arch>"): static libraries, and the form in which Intel's compiler packs
// binaries for several devices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wheel/device/device_code.hpp"

namespace wheelforge::wheel {

[[nodiscard]] bool is_ar_archive(ByteView bytes) noexcept;
/// Name and content; symbol and name tables ("/", "//") are left out. Throws ReadError.
[[nodiscard]] std::vector<std::pair<std::string, ByteView>> ar_members(ByteView bytes);
/// Reads the device code of all object files in a static library.
void read_ar_archive(ByteView bytes, DeviceCollector& out);

}  // namespace wheelforge::wheel
