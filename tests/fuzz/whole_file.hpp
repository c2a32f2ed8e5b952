// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "wheel/inspect.hpp"

namespace wheelforge::fuzz {

/// Everything that `inspect` does with a file of this name and content.
inline void inspect(std::string_view name, const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(wheel::inspect_bytes(name, wheel::ByteView(bytes)));
}

}  // namespace wheelforge::fuzz
