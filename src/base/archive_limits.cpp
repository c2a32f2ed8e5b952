// SPDX-License-Identifier: Apache-2.0
#include "base/archive_limits.hpp"

#include <utility>

namespace wheelforge {

bool ratio_exceeded(std::uint64_t unpacked, std::uint64_t packed, std::uint64_t ratio) {
    constexpr std::uint64_t matters_above = 64U << 20U;
    return unpacked > matters_above && (packed == 0 || unpacked / packed >= ratio);
}

Error limit_exceeded(std::string message) {
    return Error{ExitCode::refused, "archive-limit", std::move(message)}.advise(
        "unpack it by hand and look, if you expect it to be this large"
    );
}

Error ratio_refused(std::uint64_t ratio) {
    return limit_exceeded(
        "the archive unpacks to more than " + std::to_string(ratio) + " times its size"
    );
}

}  // namespace wheelforge
