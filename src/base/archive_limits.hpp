// SPDX-License-Identifier: Apache-2.0
// How much an archive may grow while it is unpacked.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace wheelforge {

/// Above 64 MiB only: small files compress as well as they like.
[[nodiscard]] bool
ratio_exceeded(std::uint64_t unpacked, std::uint64_t packed, std::uint64_t ratio);
/// Error{refused} "archive-limit".
[[nodiscard]] Error limit_exceeded(std::string message);
[[nodiscard]] Error ratio_refused(std::uint64_t ratio);

}  // namespace wheelforge
