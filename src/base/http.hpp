// SPDX-License-Identifier: Apache-2.0
// The one HTTP client (libcurl multi, HTTP/2): every request of the program goes through it.
//
// Credentials are bound to the exact origin (scheme, host, port) they were given for and are
// dropped on a redirect to another; https never becomes http; at most 10 redirects. Sizes and
// times are bounded. Retries (connection failures, 408, 429, 500, 502, 503, 504) back off and
// honour Retry-After. Thread-safe: any thread may ask, one thread of the client does the work.
// URLs in errors are masked (user info never shown). file:// only where a request allows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

struct HttpCredential {
    std::string origin;  ///< "https://host:port", lower case, port always present
    std::string user;
    std::string password;
};

struct HttpSettings {
    std::filesystem::path ca_bundle;  ///< empty: the system's
    std::filesystem::path client_certificate;
    std::string proxy;  ///< for every host; empty: *_proxy variables as curl reads them
    std::vector<std::string> trusted_hosts;  ///< TLS is not verified for these (pip's trusted-host)
    std::vector<HttpCredential> credentials;
    std::chrono::seconds timeout{60};  ///< without a byte received
    int retries = 5;
    unsigned connections = 16;  ///< requests in flight
};

struct HttpResponse {
    int status = 0;         ///< 200, 206, 304, 404, ... (5xx and 429 after all retries too)
    std::string final_url;  ///< after redirects, without credentials
    std::map<std::string, std::string> headers;  ///< names in lower case
    std::string body;  ///< of a 2xx answer, decoded; of any other nothing is kept
};

struct HttpRequest {
    /// User info in it counts as a credential for its origin, in this and in later requests.
    std::string url;
    std::map<std::string, std::string> headers;
    std::uint64_t max_bytes = 512ULL << 20U;  ///< of the decoded body
    bool allow_file_scheme = false;
    /// Receives the body of a 2xx answer as it comes, undecoded (on the client's thread; must not
    /// block; may throw, which ends the request with that exception). When set the response's
    /// body stays empty. Called with restart=true before a retry begins anew.
    std::function<void(std::string_view bytes, bool restart)> sink;
    /// Sees status and headers of a 2xx answer before its body (on the client's thread); false
    /// ends the transfer there, and `done` gets the response without a body.
    std::function<bool(const HttpResponse& head)> wants_body;
};

class HttpClient {
public:
    explicit HttpClient(HttpSettings settings);
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;
    ~HttpClient();

    /// `done` is called once on the client's thread with the response, or with the Error
    /// (surroundings "index-unreachable", "tls-failed", "response-too-large"; refused
    /// "redirect-refused", "bad-url"). It must neither block nor throw.
    using Done = std::function<void(HttpResponse, std::exception_ptr)>;
    void start(HttpRequest request, Done done);
    /// Waits. Not from within a callback of this client.
    [[nodiscard]] HttpResponse get(HttpRequest request);
    /// From now on sent to its origin, and nowhere else.
    void add_credential(HttpCredential credential);
    /// Ends everything in flight with Error "interrupted" and answers later requests so, on the
    /// caller's thread. The destructor does it too. Not from within a callback of this client.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Takes "user:password@" out of a URL. For storing and for printing.
[[nodiscard]] std::string without_credentials(std::string_view url);
/// The user info of an http(s) URL, percent-decoded, bound to its origin; nullopt if it has none.
[[nodiscard]] std::optional<HttpCredential> credential_in(std::string_view url);
/// "https://user:pw@h/x" -> "https://***@h/x", for messages.
[[nodiscard]] std::string masked_url(std::string_view url);
/// "https://host:443" of a URL, lower case; nullopt if it is not http(s), or if its host or port
/// holds anything that two URL parsers could read differently.
[[nodiscard]] std::optional<std::string> origin_of(std::string_view url);
/// Resolves a reference against a base URL (RFC 3986 section 5).
[[nodiscard]] std::string resolve_url(std::string_view base, std::string_view reference);
[[nodiscard]] std::string percent_decode(std::string_view text);
/// Everything but unreserved characters, '/' and the sub-delimiters becomes %XX.
[[nodiscard]] std::string percent_encode_path(std::string_view path);
/// "https" of "HTTPS://h/"; "" if there is no scheme.
[[nodiscard]] std::string url_scheme(std::string_view url);
/// The path between a URL's host and its query or fragment, as written.
[[nodiscard]] std::string_view url_path(std::string_view url);
/// The local path of "file:///a%20b" or "file://localhost/a"; nullopt for any other URL.
[[nodiscard]] std::optional<std::filesystem::path> path_of_file_url(std::string_view url);
/// "file:///a%20b" of an absolute path.
[[nodiscard]] std::string file_url(const std::filesystem::path& path);

}  // namespace wheelforge
