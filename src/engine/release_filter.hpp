// SPDX-License-Identifier: Apache-2.0
// Which files are too young to be taken (--exclude-newer, --min-release-age), by the upload times
// indexes state (PEP 700). Pure: the caller says what time it is.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "index/candidate.hpp"

namespace wheelforge::engine {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2026-01-31" (the end of that day), "2026-01-31T12:00:00Z", with or without a fraction, UTC or
/// with an offset.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);
/// "7" and "7d" are days; also s, m, h, w, in words or short, and ISO 8601 ("P7D", "PT12H").
[[nodiscard]] std::optional<std::chrono::seconds> parse_duration(std::string_view text);

struct ReleaseFilter {
    std::optional<Time> exclude_newer;
    std::string exclude_newer_text;  ///< as the user wrote it
    std::optional<std::chrono::seconds> min_age;
    std::string min_age_text;
    std::map<std::string, std::chrono::seconds> min_age_of;  ///< per package, instead of min_age
    /// Versions that the user's own requirements pin with ==: they are wanted whatever their age.
    std::map<std::string, pep::SpecifierSet> pinned;
    Time now;

    [[nodiscard]] bool empty() const noexcept {
        return !exclude_newer && !min_age && min_age_of.empty();
    }
    /// Why the file of project `name` is not taken; nullopt when it is. A file whose index states
    /// no upload time is not taken while there is a limit for it.
    [[nodiscard]] std::optional<std::string>
    refusal(const std::string& name, const index::DistributionFile& file) const;
};

}  // namespace wheelforge::engine
