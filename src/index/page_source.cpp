// SPDX-License-Identifier: Apache-2.0
#include "index/page_source.hpp"

#include <algorithm>
#include <ctime>

#include "base/error.hpp"
#include "base/http_policy.hpp"
#include "base/text.hpp"

namespace wheelforge::index {

namespace {

/// The largest pages there are have some 20 MB.
constexpr std::uint64_t max_page_bytes = 64U << 20U;
constexpr const char* accepted =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.2, "
    "text/html; q=0.1";

std::string header(const HttpResponse& response, const char* name) {
    const auto found = response.headers.find(name);
    return found == response.headers.end() ? std::string() : found->second;
}

std::optional<RawPage> page_if_known(CachedPage cached) {
    return cached.known ? std::optional<RawPage>(std::move(cached.page)) : std::nullopt;
}

/// Fresh enough not to ask at all. That a project is unknown is asked anew every time: whoever
/// has just published it should not have to wait.
bool is_fresh(const CachedPage& cached) {
    const auto age = std::time(nullptr) - cached.fetched;
    return cached.known && cached.etag.empty() && age >= 0 && age < page_lifetime_seconds;
}

bool is_local_host(std::string_view host) {
    return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

}  // namespace

Error error_of_status(int status, const std::string& url) {
    const auto what = shown_url(url) + " answered " + std::to_string(status);
    if (status == 401 || status == 403) {
        return Error(ExitCode::surroundings, "index-unauthorized", what)
            .advise("give credentials in .netrc, or in the URL; keyring is not supported");
    }
    if (status == 404 || status == 410) {
        return Error(ExitCode::surroundings, "index-file-missing", what)
            .advise("the index lists a file that it does not serve; try again with --refresh");
    }
    return Error(ExitCode::surroundings, "index-unreachable", what);
}

Error missing_offline(const std::string& url) {
    return Error(ExitCode::surroundings, "offline-missing", shown_url(url) + " is not in the cache")
        .advise("run once without --offline");
}

void PageSource::refuse_insecure(const std::string& url) const {
    const auto origin = origin_of(url);
    if (!origin || url_scheme(url) != "http") {
        return;
    }
    const auto with_port = origin->substr(std::string_view("http://").size());
    const auto host = with_port.substr(0, with_port.rfind(':'));
    const bool is_trusted = std::ranges::any_of(policy_.trusted_hosts, [&](const auto& trusted) {
        return to_lower(trusted) == host || to_lower(trusted) == with_port;
    });
    if (!is_trusted && !is_local_host(host)) {
        throw Error(
            ExitCode::usage,
            "insecure-index",
            shown_url(url) + " is plain http, which anybody on the way can change"
        )
            .advise("use https, or name the host in pip's trusted-host");
    }
}

std::optional<RawPage> PageSource::get(const std::string& url) const {
    const bool is_local = url_scheme(url) == "file";
    if (!is_local) {
        refuse_insecure(url);
    }
    auto cached = is_local ? std::nullopt : cache_.load(url);
    if (policy_.offline && !is_local) {
        if (!cached) {
            throw missing_offline(url);
        }
        return page_if_known(*std::move(cached));
    }
    if (policy_.refresh) {
        cached.reset();
    }
    if (cached && is_fresh(*cached)) {
        return std::move(cached->page);
    }
    return ask(url, std::move(cached));
}

std::optional<RawPage>
PageSource::ask(const std::string& url, std::optional<CachedPage> cached) const {
    HttpRequest request;
    request.url = url;
    request.headers["Accept"] = accepted;
    request.max_bytes = max_page_bytes;
    request.allow_file_scheme = true;
    if (cached && !cached->etag.empty()) {
        request.headers["If-None-Match"] = cached->etag;
    }
    const auto response = client_.get(std::move(request));
    const bool is_unchanged = response.status == 304 && cached;
    if (!is_unchanged) {
        cached.emplace();
    }
    cached->fetched = std::time(nullptr);
    if (response.status == 200) {
        cached->etag = header(response, "etag");
        cached->page =
            read_page(response.final_url, header(response, "content-type"), response.body);
    } else if (response.status == 404 || response.status == 410) {
        cached->known = false;
    } else if (!is_unchanged) {
        throw error_of_status(response.status, url);
    }
    if (url_scheme(url) != "file") {
        cache_.store(url, *cached);
    }
    return page_if_known(*std::move(cached));
}

}  // namespace wheelforge::index
