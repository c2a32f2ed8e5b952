// SPDX-License-Identifier: Apache-2.0
// What the HTTP client decides, apart from how it transfers: when to ask again, where a redirect
// may lead, which ranges a server may answer with. Pure, so that it can be tested without a server.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge {

inline constexpr int max_redirects = 10;

/// An answer that may be another one a moment later.
[[nodiscard]] bool is_transient_status(int status) noexcept;
[[nodiscard]] bool is_redirect_status(int status) noexcept;

/// How long to wait before attempt `attempt` + 1 (the first attempt is 0): what Retry-After says,
/// in seconds or as a date, at most 60 s; else 250 ms doubled with every attempt.
[[nodiscard]] std::chrono::milliseconds
retry_delay(int attempt, std::string_view retry_after, std::time_t now);

/// Where a redirect leads, without credentials and fragment. Throws Error{refused}
/// "redirect-refused" for anything but http(s) and for https to http.
[[nodiscard]] std::string redirect_target(std::string_view current, std::string_view location);

/// "bytes 0-99/1234" of a 206 answer.
struct ContentRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t total = 0;
};
/// nullopt unless well formed, first <= last < total, and the total is known.
[[nodiscard]] std::optional<ContentRange> parse_content_range(std::string_view value);

/// A URL for messages: user info and the query (which may be a signature) are masked, control
/// characters are escaped.
[[nodiscard]] std::string shown_url(std::string_view url);

}  // namespace wheelforge
