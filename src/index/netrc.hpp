// SPDX-License-Identifier: Apache-2.0
// The .netrc file: who we are on which host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::index {

struct NetrcEntry {
    std::string machine;  ///< lower case; "" is the `default` entry
    std::string login;
    std::string password;
};

/// In the file's order. Macros are skipped; comments may stand where a keyword may.
[[nodiscard]] Parsed<std::vector<NetrcEntry>> parse_netrc(std::string_view text);

}  // namespace wheelforge::index
