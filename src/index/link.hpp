// SPDX-License-Identifier: Apache-2.0
// What a page says about its files, before anything of it is believed. Internal to index: the
// readers (HTML, JSON, the cache) make a RawPage, and one place judges it (understand).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/candidate.hpp"

namespace wheelforge::index {

struct Link {
    std::string url;   ///< absolute, without fragment and credentials
    std::string text;  ///< the file name the page shows; may be empty
    /// The page says outright that `text` is the file name (JSON), so the URL may end in anything
    /// that is not the name of another distribution.
    bool is_named = false;
    std::map<std::string, std::string> hashes;
    std::optional<std::string> requires_python;
    std::optional<std::string> yanked;  ///< the reason, which may be empty
    std::optional<std::uint64_t> size;
    std::optional<std::string> upload_time;
    std::optional<std::map<std::string, std::string>> metadata_hashes;
};

struct RawPage {
    std::string url;  ///< final URL of the page
    std::vector<Link> links;
    std::string status;
    std::string status_reason;
};

/// Reads by content type. Throws Error{surroundings} "bad-index-page".
[[nodiscard]] RawPage
read_page(std::string_view page_url, std::string_view content_type, std::string_view body);
[[nodiscard]] RawPage read_html_page(std::string_view page_url, std::string_view body);
[[nodiscard]] RawPage read_json_page(std::string_view page_url, std::string_view body);

/// Where a page may point to and how its links are named.
struct LinkRules {
    std::string_view project;    ///< normalised; files of other projects are skipped
    std::string_view index_url;  ///< recorded in each file
    bool allow_file = false;
    /// A find-links page is anybody's page: its texts are not file names, and it lists many
    /// projects, so what belongs to another one is no surprise.
    bool find_links = false;
};
[[nodiscard]] ProjectPage understand(const RawPage& page, const LinkRules& rules);

/// Splits "href#sha256=..&egg=.." as a page writes it into Link::url and Link::hashes.
void set_location(Link& link, std::string_view base_url, std::string_view href);
/// The file name at the end of a URL's path, decoded; "" if there is none.
[[nodiscard]] std::string filename_in(std::string_view url);
/// "sha256=abc" or "true", as data-core-metadata has it; nullopt for anything else.
[[nodiscard]] std::optional<std::map<std::string, std::string>>
metadata_hashes_in(std::string_view attribute);
/// Refuses repository API versions that we do not know ("1.x" is known; "" is 1.0).
void check_api_version(std::string_view page_url, std::string_view version);
/// For Error "bad-index-page".
[[noreturn]] void throw_bad_page(std::string_view page_url, const std::string& why);

inline constexpr std::size_t max_links = 200'000;
/// Of a page's URL or base, which every relative link repeats.
inline constexpr std::size_t max_base = 2048;

}  // namespace wheelforge::index
