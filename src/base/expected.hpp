// SPDX-License-Identifier: Apache-2.0
// Result of parsing outside text. g++ 12 has no usable std::expected, so tl::expected stands in;
// this header is the only one that says so.
#pragma once

#include <tl/expected.hpp>

#include "base/error.hpp"

namespace wheelforge {

template <typename T>
using Parsed = tl::expected<T, ParseError>;

[[nodiscard]] inline tl::unexpected<ParseError>
parse_error(std::string message, std::size_t offset = 0) {
    return tl::unexpected<ParseError>(ParseError{std::move(message), offset});
}

}  // namespace wheelforge
