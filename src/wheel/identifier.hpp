// SPDX-License-Identifier: Apache-2.0
// Characters of names in C, Python and CMake sources, as scanners of sources see them.
#pragma once

namespace wheelforge::wheel {

/// A letter, digit or underscore of ASCII.
[[nodiscard]] constexpr bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace wheelforge::wheel
