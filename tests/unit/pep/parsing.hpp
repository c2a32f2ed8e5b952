// SPDX-License-Identifier: Apache-2.0
// What the tests of pep share: parse or fail the test with the parser's own words.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// The value; a test that expects one and gets an error throws the error's words.
template <typename T>
T parsed(std::string_view text) {
    auto result = T::parse(text);
    if (!result) {
        throw std::runtime_error("'" + std::string(text) + "': " + result.error().message);
    }
    return *std::move(result);
}

/// The error of what must not parse; offset -1 when it did.
template <typename T>
std::ptrdiff_t error_offset(const Parsed<T>& result) {
    return result ? -1 : static_cast<std::ptrdiff_t>(result.error().offset);
}

}  // namespace wheelforge::pep
