// SPDX-License-Identifier: Apache-2.0
// Parsed pages on disk, so that a second run need not ask and an offline run can. One file a page,
// `<sha256 of index URL and project>.json`, in a form of our own whose format number is checked;
// a file that is damaged or of another format counts as absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "index/link.hpp"

namespace wheelforge::index {

struct CachedPage {
    bool known = true;         ///< false: the index answered 404
    std::int64_t fetched = 0;  ///< seconds since the epoch
    std::string etag;          ///< "" if the index gave none
    RawPage page;
};

class PageCache {
public:
    /// @param folder  empty: nothing is kept
    explicit PageCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// @param page_url  without credentials
    [[nodiscard]] std::optional<CachedPage> load(std::string_view page_url) const;
    /// A cache that cannot be written is only slower: failures are logged.
    void store(std::string_view page_url, const CachedPage& page) const;

    /// METADATA of a wheel, which never changes for a given file.
    [[nodiscard]] std::optional<std::string> load_metadata(std::string_view key) const;
    void store_metadata(std::string_view key, std::string_view metadata) const;

private:
    [[nodiscard]] std::filesystem::path path_of(std::string_view key, const char* ending) const;
    void write(const std::filesystem::path& path, std::string_view content) const;
    std::filesystem::path folder_;
};

/// A cached page is good for this long where the index gives no ETag to ask by.
inline constexpr std::int64_t page_lifetime_seconds = 600;

[[nodiscard]] std::string serialize_page(std::string_view page_url, const CachedPage& page);
/// nullopt unless `text` was written by serialize_page for this URL.
[[nodiscard]] std::optional<CachedPage>
deserialize_page(std::string_view page_url, std::string_view text);

}  // namespace wheelforge::index
