// SPDX-License-Identifier: Apache-2.0
#include "base/http_policy.hpp"

#include <algorithm>
#include <charconv>

#include <curl/curl.h>

#include "base/error.hpp"
#include "base/http.hpp"
#include "base/text.hpp"

namespace wheelforge {

namespace {

constexpr std::chrono::milliseconds longest_wait{60'000};

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return value;
}

Error refused_redirect(std::string_view from, std::string_view to, const std::string& why) {
    return Error(
        ExitCode::refused,
        "redirect-refused",
        "redirect from " + shown_url(from) + " to " + shown_url(to) + " refused: " + why
    );
}

}  // namespace

bool is_transient_status(int status) noexcept {
    return status == 408 || status == 429 || status == 500 || (status >= 502 && status <= 504);
}

bool is_redirect_status(int status) noexcept {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::chrono::milliseconds retry_delay(int attempt, std::string_view retry_after, std::time_t now) {
    const auto value = trim(retry_after);
    if (const auto seconds = whole_number(value)) {
        return std::min(
            std::chrono::milliseconds(std::min<std::uint64_t>(*seconds, 3600) * 1000), longest_wait
        );
    }
    const auto date = value.empty() ? -1 : curl_getdate(std::string(value).c_str(), nullptr);
    if (date >= 0) {
        const auto wait = std::clamp<std::time_t>(date - now, 0, 3600);
        return std::min(std::chrono::milliseconds(wait * 1000), longest_wait);
    }
    const auto doubled = std::chrono::milliseconds(250) * (1 << std::clamp(attempt, 0, 10));
    return std::min(doubled, longest_wait);
}

std::string redirect_target(std::string_view current, std::string_view location) {
    auto target = without_credentials(resolve_url(current, location));
    target.resize(std::min(target.find('#'), target.size()));
    if (!origin_of(target)) {
        throw refused_redirect(current, target, "only http and https may be followed");
    }
    if (url_scheme(current) == "https" && url_scheme(target) == "http") {
        throw refused_redirect(current, target, "https must not become http");
    }
    return target;
}

std::optional<ContentRange> parse_content_range(std::string_view value) {
    value = trim(value);
    if (!to_lower(value.substr(0, 6)).starts_with("bytes ")) {
        return std::nullopt;
    }
    value = trim(value.substr(6));
    const auto dash = value.find('-');
    const auto slash = value.find('/');
    if (dash == std::string_view::npos || slash == std::string_view::npos || dash > slash) {
        return std::nullopt;
    }
    const auto first = whole_number(value.substr(0, dash));
    const auto last = whole_number(value.substr(dash + 1, slash - dash - 1));
    const auto total = whole_number(value.substr(slash + 1));
    if (!first || !last || !total || *first > *last || *last >= *total) {
        return std::nullopt;
    }
    return ContentRange{*first, *last, *total};
}

std::string shown_url(std::string_view url) {
    auto masked = masked_url(url);
    if (const auto query = masked.find('?'); query != std::string::npos) {
        masked.resize(query);
        masked += "?***";
    }
    return printable(masked);
}

}  // namespace wheelforge
