// SPDX-License-Identifier: Apache-2.0
// The Error a piece of code throws, as a value to look at.
#pragma once

#include <exception>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wheelforge::support {

/// Fails the test, and returns an Error with the id "none", if nothing or something else is thrown.
template <typename Work>
Error thrown_error(Work&& work) {
    try {
        std::forward<Work>(work)();
    } catch (const Error& error) {
        return error;
    } catch (const std::exception& other) {
        ADD_FAILURE() << "threw something else: " << other.what();
        return {ExitCode::ok, "none", other.what()};
    }
    ADD_FAILURE() << "threw nothing";
    return {ExitCode::ok, "none", "nothing was thrown"};
}

}  // namespace wheelforge::support
