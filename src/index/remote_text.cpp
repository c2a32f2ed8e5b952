// SPDX-License-Identifier: Apache-2.0
#include "index/remote_text.hpp"

#include "base/error.hpp"
#include "base/http_policy.hpp"
#include "index/page_source.hpp"

namespace wheelforge::index {

std::string fetch_text(HttpClient& client, const std::string& url, std::uint64_t max_bytes) {
    HttpRequest request;
    request.url = url;
    request.max_bytes = max_bytes;
    auto response = client.get(std::move(request));
    if (response.status == 404 || response.status == 410) {
        throw Error(
            ExitCode::usage,
            "file-not-found",
            shown_url(url) + " does not exist: the server answered "
                + std::to_string(response.status)
        );
    }
    if (response.status != 200) {
        throw error_of_status(response.status, url);
    }
    return std::move(response.body);
}

}  // namespace wheelforge::index
