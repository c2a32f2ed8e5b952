// SPDX-License-Identifier: Apache-2.0
// What a source file is written in, told by its name.
#pragma once

#include <string_view>

namespace wheelforge::source {

/// "c", "c++", "cython", "rust" (Cargo.toml), "fortran", "cuda", "hip", "cmake" (CMakeLists.txt),
/// "meson" (meson.build); "" for anything else.
[[nodiscard]] std::string_view language_of(std::string_view member) noexcept;

}  // namespace wheelforge::source
