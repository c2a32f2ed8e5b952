// SPDX-License-Identifier: Apache-2.0
// Pages by URL: from the cache where that is good enough, else from the index. Blocking.
#pragma once

#include <optional>
#include <string>

#include "base/http.hpp"
#include "index/link.hpp"
#include "index/page_cache.hpp"

namespace wheelforge::index {

struct PagePolicy {
    bool offline = false;
    bool refresh = false;
    std::vector<std::string> trusted_hosts;
};

class PageSource {
public:
    PageSource(HttpClient& client, const PageCache& cache, PagePolicy policy)
        : client_(client), cache_(cache), policy_(std::move(policy)) {}

    /// @param url  http(s) or file, without credentials
    /// @returns nullopt where the server answers that there is no such page
    [[nodiscard]] std::optional<RawPage> get(const std::string& url) const;

private:
    [[nodiscard]] std::optional<RawPage>
    ask(const std::string& url, std::optional<CachedPage> cached) const;
    void refuse_insecure(const std::string& url) const;

    HttpClient& client_;
    const PageCache& cache_;
    PagePolicy policy_;
};

/// The Error that an answer other than success stands for: "index-unauthorized",
/// "index-file-missing" or "index-unreachable".
[[nodiscard]] Error error_of_status(int status, const std::string& url);
[[nodiscard]] Error missing_offline(const std::string& url);

}  // namespace wheelforge::index
