// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "base/http.hpp"
#include "base/text.hpp"

namespace wheelforge {

namespace {

/// RFC 3986 section 3, split only, nothing decoded. A part that is absent differs from an empty
/// one where section 5 makes a difference.
struct Parts {
    std::string_view scheme;
    std::optional<std::string_view> authority;
    std::string_view path;
    std::optional<std::string_view> query;
    std::optional<std::string_view> fragment;
};

bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t scheme_length(std::string_view url) {
    if (url.empty() || !is_alpha(url.front())) {
        return 0;
    }
    const auto end = std::find_if_not(url.begin(), url.end(), [](char c) {
        return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    });
    return end != url.end() && *end == ':' ? static_cast<std::size_t>(end - url.begin()) : 0;
}

std::optional<std::string_view> cut_from(std::string_view& text, char mark) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto tail = text.substr(at + 1);
    text = text.substr(0, at);
    return tail;
}

Parts parts_of(std::string_view url) {
    Parts parts;
    if (const auto length = scheme_length(url); length != 0) {
        parts.scheme = url.substr(0, length);
        url.remove_prefix(length + 1);
    }
    parts.fragment = cut_from(url, '#');
    parts.query = cut_from(url, '?');
    if (url.starts_with("//")) {
        url.remove_prefix(2);
        const auto end = std::min(url.find('/'), url.size());
        parts.authority = url.substr(0, end);
        url.remove_prefix(end);
    }
    parts.path = url;
    return parts;
}

std::string text_of(const Parts& parts, std::string_view path) {
    std::string text;
    if (!parts.scheme.empty()) {
        text.append(parts.scheme).append(":");
    }
    if (parts.authority) {
        text.append("//").append(*parts.authority);
    }
    text.append(path);
    if (parts.query) {
        text.append("?").append(*parts.query);
    }
    if (parts.fragment) {
        text.append("#").append(*parts.fragment);
    }
    return text;
}

/// RFC 3986 section 5.2.4 on whole segments.
std::string remove_dot_segments(std::string_view path) {
    std::vector<std::string_view> kept;
    const auto segments = split(path, '/');
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const auto segment = segments[i];
        const bool last = i + 1 == segments.size();
        const bool dots = segment == "." || segment == "..";
        if (segment == ".." && kept.size() > 1) {
            kept.pop_back();
        }
        if (!dots) {
            kept.push_back(segment);
        } else if (last) {
            kept.emplace_back();
        }
    }
    std::string result;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        result.append(i == 0 ? "" : "/").append(kept[i]);
    }
    return result;
}

std::string merged_path(const Parts& base, std::string_view reference) {
    if (base.authority && base.path.empty()) {
        return "/" + std::string(reference);
    }
    const auto slash = base.path.rfind('/');
    const auto folder = slash == std::string_view::npos ? "" : base.path.substr(0, slash + 1);
    return std::string(folder).append(reference);
}

/// Where user info stands in `url`: [first, second), the '@' included. A ':' that starts no port
/// means that the password itself holds a '/', '?' or '#' (a mistake, but a secret all the same):
/// then everything up to the last '@' counts.
std::pair<std::size_t, std::size_t> user_info_span(std::string_view url) {
    const auto mark = url.find("://");
    if (mark == std::string_view::npos) {
        return {0, 0};
    }
    const auto begin = mark + 3;
    const auto end = std::min(url.find_first_of("/?#", begin), url.size());
    const auto authority = url.substr(begin, end - begin);
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
        return {begin, begin + at + 1};
    }
    const auto colon = authority.rfind(':');
    const bool is_port = colon == std::string_view::npos || authority.ends_with(']')
                         || std::ranges::all_of(authority.substr(colon + 1), is_digit);
    const auto last_at = url.rfind('@');
    if (!is_port && last_at != std::string_view::npos) {
        return {begin, last_at + 1};
    }
    return {begin, begin};
}

bool is_plain_host(std::string_view host) {
    if (host.starts_with('[')) {
        return host.size() > 2 && host.ends_with(']')
               && host.find_first_not_of("0123456789abcdefABCDEF:.", 1) == host.size() - 1;
    }
    return !host.empty() && std::ranges::all_of(host, [](char c) {
        return is_alpha(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
    });
}

std::optional<std::string> port_of(std::string_view digits, std::string_view scheme) {
    if (digits.empty()) {
        return scheme == "https" ? "443" : "80";
    }
    unsigned port = 0;
    const auto* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, port);
    if (error != std::errc() || stop != end || port == 0 || port > 65535) {
        return std::nullopt;
    }
    return std::to_string(port);
}

int hex_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::string without_credentials(std::string_view url) {
    const auto [begin, end] = user_info_span(url);
    return std::string(url.substr(0, begin)).append(url.substr(end));
}

std::string masked_url(std::string_view url) {
    const auto [begin, end] = user_info_span(url);
    return begin == end ? std::string(url)
                        : std::string(url.substr(0, begin)).append("***@").append(url.substr(end));
}

std::optional<HttpCredential> credential_in(std::string_view url) {
    const auto [begin, end] = user_info_span(url);
    const auto origin = begin == end ? std::nullopt : origin_of(url);
    if (!origin) {
        return std::nullopt;
    }
    auto user = url.substr(begin, end - begin - 1);
    const auto password = cut_from(user, ':');
    return HttpCredential{*origin, percent_decode(user), percent_decode(password.value_or(""))};
}

std::optional<std::string> origin_of(std::string_view url) {
    const auto clean = without_credentials(url);
    const auto parts = parts_of(clean);
    const auto scheme = to_lower(parts.scheme);
    if ((scheme != "http" && scheme != "https") || !parts.authority) {
        return std::nullopt;
    }
    auto host = *parts.authority;
    std::string_view digits;
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && !host.ends_with(']')) {
        digits = host.substr(colon + 1);
        host = host.substr(0, colon);
    }
    const auto port = port_of(digits, scheme);
    if (!port || !is_plain_host(host)) {
        return std::nullopt;
    }
    return scheme + "://" + to_lower(host) + ":" + *port;
}

std::string resolve_url(std::string_view base_text, std::string_view reference_text) {
    const auto base = parts_of(base_text);
    auto target = parts_of(trim(reference_text));
    if (!target.scheme.empty()) {
        return text_of(target, remove_dot_segments(target.path));
    }
    target.scheme = base.scheme;
    if (target.authority) {
        return text_of(target, remove_dot_segments(target.path));
    }
    target.authority = base.authority;
    if (target.path.empty()) {
        target.query = target.query ? target.query : base.query;
        return text_of(target, base.path);
    }
    if (target.path.starts_with('/')) {
        return text_of(target, remove_dot_segments(target.path));
    }
    return text_of(target, remove_dot_segments(merged_path(base, target.path)));
}

std::string percent_decode(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
        if (low < 0) {
            result.push_back(text[i]);
            continue;
        }
        result.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    return result;
}

std::string percent_encode_path(std::string_view path) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    static constexpr std::string_view kept = "-._~/!$&'()*+,;=:@";
    std::string result;
    for (const char c : path) {
        if (is_alpha(c) || is_digit(c) || kept.find(c) != std::string_view::npos) {
            result.push_back(c);
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
    return result;
}

std::string url_scheme(std::string_view url) {
    return to_lower(parts_of(url).scheme);
}

std::string_view url_path(std::string_view url) {
    return parts_of(url).path;
}

std::optional<std::filesystem::path> path_of_file_url(std::string_view url) {
    const auto parts = parts_of(url);
    const auto host = to_lower(parts.authority.value_or(""));
    if (to_lower(parts.scheme) != "file" || (!host.empty() && host != "localhost")) {
        return std::nullopt;
    }
    auto path = percent_decode(parts.path);
    if (!path.starts_with('/') || path.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    return path;
}

std::string file_url(const std::filesystem::path& path) {
    return "file://" + percent_encode_path(path.lexically_normal().string());
}

}  // namespace wheelforge
