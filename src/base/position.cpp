// SPDX-License-Identifier: Apache-2.0
#include "base/position.hpp"

#include <algorithm>

namespace wheelforge {
namespace {

/// The bytes behind the first of a UTF-8 character do not begin one.
bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
}

}  // namespace

std::string position_in(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto own = before.substr(before.rfind('\n') + 1);
    const auto column = 1 + std::count_if(own.begin(), own.end(), begins_character);
    return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace wheelforge
