// SPDX-License-Identifier: Apache-2.0
// One request of HttpClient on its way: everything between a curl handle and our rules. Internal
// to base; lives on the client's thread only.
#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include <curl/curl.h>

#include "base/http.hpp"

namespace wheelforge {

using HttpCredentials = std::map<std::string, HttpCredential>;  ///< by origin

class HttpTransfer {
public:
    HttpTransfer(HttpRequest request, HttpClient::Done done);
    HttpTransfer(const HttpTransfer&) = delete;
    HttpTransfer& operator=(const HttpTransfer&) = delete;
    ~HttpTransfer();

    /// What is to happen after an attempt has ended.
    struct Finished {};
    struct Again {
        std::chrono::milliseconds after{0};
    };
    using Next = std::variant<Finished, Again>;

    /// A handle for the next attempt, ready for curl_multi_add_handle; owned by this object.
    /// Throws Error{refused} "bad-url".
    [[nodiscard]] CURL* prepare(const HttpSettings& settings, const HttpCredentials& credentials);
    /// Judges the attempt that ended with `code`. Throws the Error the request ends with.
    [[nodiscard]] Next judge(CURLcode code, const HttpSettings& settings);
    /// Serves a file:// URL at once.
    void read_local_file();

    [[nodiscard]] const HttpRequest& request() const noexcept { return request_; }
    /// Calls `done`, once.
    void answer(std::exception_ptr error) noexcept;

private:
    struct Callbacks;
    void set_url_and_headers(const HttpCredentials& credentials);
    void set_limits(const HttpSettings& settings);
    void set_tls(const HttpSettings& settings);
    [[nodiscard]] bool takes_header(std::string_view line);
    [[nodiscard]] bool takes_head();
    [[nodiscard]] bool takes_body(std::string_view bytes);
    void deliver(std::string_view bytes);
    void start_over();
    [[nodiscard]] Next follow_redirect(const std::string& location);
    [[nodiscard]] std::exception_ptr failure_of(CURLcode code) const;

    HttpRequest request_;
    HttpClient::Done done_;
    std::string url_;  ///< of this attempt: the request's, then where redirects led
    CURL* easy_ = nullptr;
    curl_slist* headers_ = nullptr;
    HttpResponse response_;
    std::exception_ptr failure_;   ///< raised inside a callback
    bool wanted_no_body_ = false;  ///< we hung up on purpose
    bool has_sunk_ = false;        ///< the sink saw bytes of this attempt
    std::size_t header_bytes_ = 0;
    std::uint64_t body_bytes_ = 0;
    int attempt_ = 0;
    int redirects_ = 0;
    char curl_message_[CURL_ERROR_SIZE] = {};
};

}  // namespace wheelforge
