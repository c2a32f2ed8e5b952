// SPDX-License-Identifier: Apache-2.0
// What an archive member may be called and where a link may point. Pure text rules, shared by tar
// and zip; they decide what is refused, while base/beneath keeps writing inside in any case.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/expected.hpp"

namespace wheelforge {

/// "./pkg-1.0//a/" -> {pkg-1.0, a}. Refuses absolute names, "..", control characters, invalid
/// UTF-8, parts above 255 and names above 4096 bytes. Empty for "." alone.
[[nodiscard]] Parsed<std::vector<std::string>> member_parts(std::string_view name);

/// Whether a symbolic link at `link` (parts, the first one the root folder) with `target` points,
/// read as text, at something inside the root folder.
[[nodiscard]] bool link_stays_inside(std::span<const std::string> link, std::string_view target);

[[nodiscard]] std::string join_parts(std::span<const std::string> parts);

/// Members' times as far as every format of the trade can hold them: 1970 to 2107.
[[nodiscard]] std::int64_t clamp_mtime(std::int64_t mtime) noexcept;

/// Error{refused} about one member, its name made printable.
[[nodiscard]] Error member_refused(std::string id, std::string_view member, std::string_view rule);

}  // namespace wheelforge
