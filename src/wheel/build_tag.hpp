// SPDX-License-Identifier: Apache-2.0
// The build tag of a wheel (binary distribution format, "File name convention"): in its file name
// and in its WHEEL file.
#pragma once

#include <string>
#include <string_view>

namespace wheelforge::wheel {

/// "name-1.0-py3-none-any.whl" -> "name-1.0-3-py3-none-any.whl"; a tag that is there is replaced.
[[nodiscard]] std::string with_build_tag(const std::string& filename, unsigned number);

/// The WHEEL file with `Build: N` and no other Build line.
[[nodiscard]] std::string wheel_file_with_build(std::string_view text, unsigned number);

}  // namespace wheelforge::wheel
