// SPDX-License-Identifier: Apache-2.0
#include "base/http_transfer.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/http_policy.hpp"
#include "base/text.hpp"

namespace wheelforge {

namespace {

constexpr std::size_t max_header_bytes = 256U << 10U;
/// A body we have no use for is read to here, so that the connection can be kept.
constexpr std::uint64_t max_unwanted_bytes = 256U << 10U;
/// Slower than this for as long as the timeout counts as standing still.
constexpr long slowest_bytes_per_second = 64;

bool is_success(int status) {
    return status >= 200 && status < 300;
}

Error too_large(const std::string& url, const std::string& what) {
    return Error(
        ExitCode::surroundings,
        "response-too-large",
        "the answer of " + shown_url(url) + " has " + what
    );
}

bool is_tls_failure(CURLcode code) {
    switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
        return true;
    default:
        return false;
    }
}

/// What a second attempt could cure. A certificate that does not verify stays what it is; a
/// handshake that broke off may not.
bool is_transient_failure(CURLcode code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_BAD_CONTENT_ENCODING:
        return true;
    default:
        return false;
    }
}

bool is_trusted(const std::vector<std::string>& trusted_hosts, std::string_view origin) {
    const auto with_port = origin.substr(origin.find("://") + 3);
    const auto host = with_port.substr(0, with_port.rfind(':'));
    return std::ranges::any_of(trusted_hosts, [&](const std::string& trusted) {
        const auto name = to_lower(trusted);
        return name == host || name == with_port;
    });
}

std::uint64_t stated_length(const HttpResponse& response) {
    const auto found = response.headers.find("content-length");
    std::uint64_t length = 0;
    if (found != response.headers.end()) {
        const auto& text = found->second;
        std::from_chars(text.data(), text.data() + text.size(), length);
    }
    return length;
}

std::string media_type_of(const std::filesystem::path& path) {
    const auto extension = to_lower(path.extension().string());
    if (extension == ".html" || extension == ".htm") {
        return "text/html";
    }
    return extension == ".json" ? "application/vnd.pypi.simple.v1+json"
                                : "application/octet-stream";
}

}  // namespace

/// libcurl calls C functions; no exception may leave them.
struct HttpTransfer::Callbacks {
    static std::size_t on_header(char* data, std::size_t, std::size_t count, void* self) {
        return call(&HttpTransfer::takes_header, data, count, self);
    }
    static std::size_t on_body(char* data, std::size_t, std::size_t count, void* self) {
        return call(&HttpTransfer::takes_body, data, count, self);
    }
    static std::size_t call(
        bool (HttpTransfer::*takes)(std::string_view),
        const char* data,
        std::size_t count,
        void* self
    ) {
        auto& transfer = *static_cast<HttpTransfer*>(self);
        try {
            // Any other number than `count` makes curl end the transfer.
            return (transfer.*takes)(std::string_view(data, count)) ? count : count + 1;
        } catch (...) {
            transfer.failure_ = std::current_exception();
            return count + 1;
        }
    }
};

HttpTransfer::HttpTransfer(HttpRequest request, HttpClient::Done done)
    : request_(std::move(request)), done_(std::move(done)),
      url_(without_credentials(request_.url)) {
    url_.resize(std::min(url_.find('#'), url_.size()));
}

HttpTransfer::~HttpTransfer() {
    curl_easy_cleanup(easy_);
    curl_slist_free_all(headers_);
}

CURL* HttpTransfer::prepare(const HttpSettings& settings, const HttpCredentials& credentials) {
    const bool has_odd_byte = std::ranges::any_of(url_, [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '\\';
    });
    if (has_odd_byte || !origin_of(url_)) {
        throw Error(
            ExitCode::refused, "bad-url", "not a usable http or https URL: " + shown_url(url_)
        );
    }
    start_over();
    curl_easy_cleanup(easy_);
    easy_ = curl_easy_init();
    curl_easy_setopt(easy_, CURLOPT_PRIVATE, this);
    curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, curl_message_);
    curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Callbacks::on_header);
    curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Callbacks::on_body);
    curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
    set_url_and_headers(credentials);
    set_limits(settings);
    set_tls(settings);
    if (!settings.proxy.empty()) {
        curl_easy_setopt(easy_, CURLOPT_PROXY, settings.proxy.c_str());
        curl_easy_setopt(easy_, CURLOPT_NOPROXY, "");  // as pip: $no_proxy is for *_proxy only
    }
    return easy_;
}

void HttpTransfer::set_url_and_headers(const HttpCredentials& credentials) {
    const auto origin = *origin_of(url_);
    const bool is_foreign = origin_of(request_.url) != origin;
    curl_slist_free_all(std::exchange(headers_, nullptr));
    for (const auto& [name, value] : request_.headers) {
        const auto key = to_lower(name);
        if (!is_foreign || (key != "authorization" && key != "cookie")) {
            headers_ = curl_slist_append(headers_, (name + ": " + value).c_str());
        }
    }
    // What goes to a file or is asked for by range has to be the bytes the server holds.
    if (request_.sink || request_.headers.contains("Range")) {
        headers_ = curl_slist_append(headers_, "Accept-Encoding: identity");
    } else {
        curl_easy_setopt(easy_, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    }
    curl_easy_setopt(easy_, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(easy_, CURLOPT_USERAGENT, "wheelforge/" WHEELFORGE_VERSION);
    if (const auto found = credentials.find(origin); found != credentials.end()) {
        curl_easy_setopt(easy_, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(easy_, CURLOPT_USERNAME, found->second.user.c_str());
        curl_easy_setopt(easy_, CURLOPT_PASSWORD, found->second.password.c_str());
    }
}

void HttpTransfer::set_limits(const HttpSettings& settings) {
    const auto seconds = static_cast<long>(std::max<std::int64_t>(settings.timeout.count(), 1));
    curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT, seconds);
    curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_TIME, seconds);
    curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_per_second);
    curl_easy_setopt(easy_, CURLOPT_BUFFERSIZE, 128L << 10);
    curl_easy_setopt(easy_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
    // Rather share a connection that is being opened than open another.
    curl_easy_setopt(easy_, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy_, CURLOPT_TCP_KEEPALIVE, 1L);
}

void HttpTransfer::set_tls(const HttpSettings& settings) {
    curl_easy_setopt(easy_, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    if (std::error_code ignored; std::filesystem::is_directory(settings.ca_bundle, ignored)) {
        curl_easy_setopt(easy_, CURLOPT_CAPATH, settings.ca_bundle.c_str());
    } else if (!settings.ca_bundle.empty()) {
        curl_easy_setopt(easy_, CURLOPT_CAINFO, settings.ca_bundle.c_str());
        curl_easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
    }
    if (!settings.client_certificate.empty()) {
        curl_easy_setopt(easy_, CURLOPT_SSLCERT, settings.client_certificate.c_str());
        curl_easy_setopt(easy_, CURLOPT_SSLKEY, settings.client_certificate.c_str());
    }
    if (is_trusted(settings.trusted_hosts, *origin_of(url_))) {
        curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

bool HttpTransfer::takes_header(std::string_view line) {
    header_bytes_ += line.size();
    if (header_bytes_ > max_header_bytes) {
        throw too_large(url_, "more than " + human_bytes(max_header_bytes) + " of headers");
    }
    if (body_bytes_ != 0) {
        return true;  // trailers
    }
    line = trim(line);
    if (line.starts_with("HTTP/")) {
        response_.headers.clear();
        return true;
    }
    if (line.empty()) {
        return takes_head();
    }
    const auto colon = std::min(line.find(':'), line.size());
    const auto value = trim(line.substr(std::min(colon + 1, line.size())));
    auto& field = response_.headers[to_lower(trim(line.substr(0, colon)))];
    field.append(field.empty() ? "" : ", ").append(value);
    return true;
}

bool HttpTransfer::takes_head() {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    response_.final_url = url_;
    if (!is_success(response_.status)) {
        return true;
    }
    if (request_.wants_body && !request_.wants_body(response_)) {
        wanted_no_body_ = true;
        return false;
    }
    if (stated_length(response_) > request_.max_bytes) {
        throw too_large(url_, "more than the " + human_bytes(request_.max_bytes) + " allowed");
    }
    return true;
}

bool HttpTransfer::takes_body(std::string_view bytes) {
    body_bytes_ += bytes.size();
    if (!is_success(response_.status)) {
        wanted_no_body_ = body_bytes_ > max_unwanted_bytes;
        return !wanted_no_body_;
    }
    if (body_bytes_ > request_.max_bytes) {
        throw too_large(url_, "more than the " + human_bytes(request_.max_bytes) + " allowed");
    }
    deliver(bytes);
    return true;
}

void HttpTransfer::deliver(std::string_view bytes) {
    if (request_.sink) {
        has_sunk_ = true;
        request_.sink(bytes, false);
    } else {
        response_.body.append(bytes);
    }
}

void HttpTransfer::start_over() {
    if (std::exchange(has_sunk_, false)) {
        request_.sink({}, true);
    }
    response_ = {};
    failure_ = nullptr;
    wanted_no_body_ = false;
    header_bytes_ = 0;
    body_bytes_ = 0;
    curl_message_[0] = '\0';
}

HttpTransfer::Next HttpTransfer::judge(CURLcode code, const HttpSettings& settings) {
    if (failure_) {
        std::rethrow_exception(failure_);
    }
    const bool may_try_again = attempt_ < settings.retries;
    if (code != CURLE_OK && !wanted_no_body_) {
        if (!may_try_again || !is_transient_failure(code)) {
            std::rethrow_exception(failure_of(code));
        }
        return Again{retry_delay(attempt_++, "", 0)};
    }
    const auto& headers = response_.headers;
    if (const auto location = headers.find("location");
        is_redirect_status(response_.status) && location != headers.end()) {
        return follow_redirect(location->second);
    }
    if (may_try_again && is_transient_status(response_.status)) {
        const auto after = headers.find("retry-after");
        const auto wish = after == headers.end() ? std::string() : after->second;
        return Again{retry_delay(attempt_++, wish, std::time(nullptr))};
    }
    return Finished{};
}

HttpTransfer::Next HttpTransfer::follow_redirect(const std::string& location) {
    if (++redirects_ > max_redirects) {
        throw Error(
            ExitCode::refused,
            "redirect-refused",
            shown_url(request_.url) + " redirects more than " + std::to_string(max_redirects)
                + " times"
        );
    }
    url_ = redirect_target(url_, location);
    return Again{};
}

std::exception_ptr HttpTransfer::failure_of(CURLcode code) const {
    const std::string_view detail =
        curl_message_[0] != '\0' ? std::string_view(curl_message_) : curl_easy_strerror(code);
    const auto shown = shown_url(url_);
    if (is_tls_failure(code)) {
        return std::make_exception_ptr(
            Error(
                ExitCode::surroundings,
                "tls-failed",
                "no trusted connection to " + shown + ": " + printable(detail)
            )
                .advise(
                    "if the index has a certificate of its own, name it in pip's `cert` or PIP_CERT"
                )
        );
    }
    auto error = Error(
        ExitCode::surroundings,
        "index-unreachable",
        "cannot read " + shown + ": " + printable(detail)
    );
    if (attempt_ > 0) {
        error.doing("trying " + std::to_string(attempt_ + 1) + " times");
    }
    error.advise("check the network and pip's configuration (index-url, proxy)");
    return std::make_exception_ptr(std::move(error));
}

void HttpTransfer::read_local_file() {
    auto path = request_.allow_file_scheme ? path_of_file_url(url_) : std::nullopt;
    if (!path) {
        throw Error(
            ExitCode::refused, "bad-url", "a file URL is not allowed here: " + shown_url(url_)
        );
    }
    response_.final_url = url_;
    std::error_code ignored;
    if (std::filesystem::is_directory(*path, ignored)) {
        *path /= "index.html";
        response_.final_url += url_.ends_with('/') ? "" : "/";
    }
    response_.status = std::filesystem::is_regular_file(*path, ignored) ? 200 : 404;
    response_.headers["content-type"] = media_type_of(*path);
    if (response_.status == 404 || (request_.wants_body && !request_.wants_body(response_))) {
        return;
    }
    const auto file = open_for_reading(*path);
    std::string block(256U << 10U, '\0');
    while (const auto count = read_some(file, block, *path)) {
        if (!takes_body(std::string_view(block).substr(0, count))) {
            return;
        }
    }
}

void HttpTransfer::answer(std::exception_ptr error) noexcept {
    auto response = error ? HttpResponse{} : std::move(response_);
    std::exchange(done_, nullptr)(std::move(response), std::move(error));
}

}  // namespace wheelforge
