// SPDX-License-Identifier: Apache-2.0
// Small text files behind URLs: requirements and constraints that a team keeps on a server.
#pragma once

#include <cstdint>
#include <string>

#include "base/http.hpp"

namespace wheelforge::index {

/// The text as it is served, at most `max_bytes`. Throws Error{usage} "file-not-found" where the
/// server has none, else what HttpClient and indexes throw; URLs in messages are masked.
[[nodiscard]] std::string
fetch_text(HttpClient& client, const std::string& url, std::uint64_t max_bytes);

}  // namespace wheelforge::index
