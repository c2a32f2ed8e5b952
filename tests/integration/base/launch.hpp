// SPDX-License-Identifier: Apache-2.0
// A Launch of a small shell script, which is the shortest child to write down.
#pragma once

#include <string>

#include "base/process.hpp"

namespace wheelforge {

inline Launch script(std::string text) {
    Launch launch;
    launch.argv = {"/bin/sh", "-c", std::move(text)};
    launch.env = {{"PATH", "/usr/bin:/bin"}};
    return launch;
}

}  // namespace wheelforge
