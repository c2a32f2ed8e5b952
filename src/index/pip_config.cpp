// SPDX-License-Identifier: Apache-2.0
#include "index/pip_config.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/http.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "index/default_index.hpp"
#include "index/netrc.hpp"
#include "index/pip_values.hpp"

namespace wheelforge::index {

namespace {

constexpr std::uint64_t max_netrc_bytes = 1U << 20U;

std::string variable(const Environment& env, const char* name) {
    const auto found = env.find(name);
    return found == env.end() ? std::string() : found->second;
}

/// pip takes a path where it takes a URL.
std::string location_url(const std::string& location, const Environment& env) {
    if (location.find("://") != std::string::npos || url_scheme(location) == "file") {
        return location;
    }
    std::error_code error;
    const auto path = fs::absolute(expand_user(location, env), error);
    return !error && fs::exists(path, error) ? file_url(path) : location;
}

/// The last --index-url of the command line, else the configured one, else pip's own.
std::string main_index(
    const PipConfigInput& input,
    const PipValues& values,
    const std::optional<PipOfInterpreter>& interpreter
) {
    if (!input.index_urls.empty()) {
        return input.index_urls.back();
    }
    for (const auto* option : {"index-url", "pypi-url"}) {
        if (auto url = values.text(option); !url.empty()) {
            return url;
        }
    }
    if (interpreter && !interpreter->default_index.empty()) {
        return interpreter->default_index;
    }
    for (const auto* python : {"python3", "python"}) {
        const auto path = find_program(python, variable(input.env, "PATH"));
        const auto other = path ? ask_interpreter(*path, input.env) : std::nullopt;
        if (other && !other->default_index.empty()) {
            return other->default_index;
        }
    }
    throw Error(
        ExitCode::usage,
        "no-index-configured",
        "no package index is configured, and no pip is there to ask for its default"
    )
        .advise("give --index-url, set PIP_INDEX_URL, or write index-url into pip.conf");
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

void set_locations(
    IndexSettings& settings,
    const PipConfigInput& input,
    const PipValues& values,
    const std::optional<PipOfInterpreter>& interpreter
) {
    settings.no_index = input.no_index || values.flag("no-index");
    if (!settings.no_index) {
        settings.index_urls.push_back(main_index(input, values, interpreter));
        append(settings.index_urls, values.list("extra-index-url"));
        append(settings.index_urls, input.extra_index_urls);
    }
    settings.find_links = values.list("find-links");
    append(settings.find_links, input.find_links);
    for (auto* list : {&settings.index_urls, &settings.find_links}) {
        for (auto& location : *list) {
            location = location_url(location, input.env);
        }
    }
}

/// As pip and the library below it look for certificates.
fs::path ca_bundle(const PipValues& values, const Environment& env) {
    if (const auto cert = values.text("cert"); !cert.empty()) {
        return expand_user(cert, env);
    }
    for (const auto* name : {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
        if (auto path = variable(env, name); !path.empty()) {
            return path;
        }
    }
    return {};
}

void set_transport(HttpSettings& http, const PipValues& values, const Environment& env) {
    http.ca_bundle = ca_bundle(values, env);
    http.client_certificate = expand_user(values.text("client-cert"), env);
    http.proxy = values.text("proxy");
    http.trusted_hosts = values.list("trusted-host");
    for (const auto* option : {"default-timeout", "timeout"}) {
        if (const auto seconds = values.number(option)) {
            http.timeout = std::chrono::seconds(std::max(1L, std::lround(std::ceil(*seconds))));
        }
    }
    if (const auto retries = values.number("retries")) {
        http.retries = static_cast<int>(*retries);
    }
}

std::vector<NetrcEntry> read_netrc(const Environment& env) {
    std::vector<fs::path> candidates = {home_of(env) / ".netrc", home_of(env) / "_netrc"};
    if (const auto named = variable(env, "NETRC"); !named.empty()) {
        candidates = {expand_user(named, env)};
    }
    for (const auto& path : candidates) {
        try {
            const auto text = read_file_if_there(path, max_netrc_bytes);
            if (!text) {
                continue;
            }
            auto entries = parse_netrc(*text);
            if (entries) {
                return *std::move(entries);
            }
            log::info(printable(path.string()) + " is not used: " + entries.error().message);
        } catch (const Error& error) {
            log::info(error.render());
        }
        break;
    }
    return {};
}

std::string host_of(const std::string& origin) {
    const auto begin = origin.find("://") + 3;
    return origin.substr(begin, origin.rfind(':') - begin);
}

/// An entry of .netrc names a host, a credential an origin. pip sends it to every port of the
/// host; we send it to the default ports, and to the ports of the configured locations. `default`
/// means the configured locations only and stands back behind every named machine (of two entries
/// for one machine the later counts, as in Python): it is not for every host that a page may point
/// to.
void add_netrc(
    std::vector<HttpCredential>& credentials,
    const std::vector<NetrcEntry>& entries,
    const std::set<std::string>& origins
) {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        const auto& [machine, login, password] = *entry;
        for (const auto* scheme : {"https://", "http://"}) {
            if (const auto origin = origin_of(scheme + machine); origin && !machine.empty()) {
                credentials.push_back({*origin, login, password});
            }
        }
        for (const auto& origin : origins) {
            if (machine == host_of(origin)) {
                credentials.push_back({origin, login, password});
            }
        }
    }
    const auto fallback = std::ranges::find(entries, "", &NetrcEntry::machine);
    for (const auto& origin : origins) {
        if (fallback != entries.end()) {
            credentials.push_back({origin, fallback->login, fallback->password});
        }
    }
}

/// The first credential of an origin counts: user info of the URLs, then .netrc.
void set_credentials(IndexSettings& settings, const Environment& env) {
    std::set<std::string> origins;
    for (auto* list : {&settings.index_urls, &settings.find_links}) {
        for (auto& url : *list) {
            if (auto credential = credential_in(url)) {
                settings.http.credentials.push_back(*std::move(credential));
            }
            url = without_credentials(url);
            if (const auto origin = origin_of(url)) {
                origins.insert(*origin);
            }
        }
    }
    add_netrc(settings.http.credentials, read_netrc(env), origins);
}

}  // namespace

IndexSettings pip_index_settings(const PipConfigInput& input) {
    std::optional<PipOfInterpreter> interpreter;
    if (!input.interpreter.empty()) {
        interpreter = ask_interpreter(input.interpreter, input.env);
    }
    const auto values = PipValues::read(input.env, interpreter ? interpreter->prefix : fs::path());
    IndexSettings settings;
    set_locations(settings, input, values, interpreter);
    set_transport(settings.http, values, input.env);
    append(settings.http.trusted_hosts, input.trusted_hosts);
    set_credentials(settings, input.env);
    return settings;
}

}  // namespace wheelforge::index
