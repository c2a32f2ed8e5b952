// SPDX-License-Identifier: Apache-2.0
#include "index/simple_page.hpp"

#include <algorithm>
#include <charconv>

#include "base/http.hpp"
#include "base/http_policy.hpp"
#include "base/text.hpp"
#include "index/link.hpp"

namespace wheelforge::index {

void throw_bad_page(std::string_view page_url, const std::string& why) {
    throw Error(
        ExitCode::surroundings,
        "bad-index-page",
        "the page " + shown_url(page_url) + " cannot be used: " + why
    );
}

void check_api_version(std::string_view page_url, std::string_view version) {
    version = trim(version);
    const auto major = version.substr(0, version.find('.'));
    if (!version.empty() && major != "1") {
        throw_bad_page(
            page_url, "it speaks repository API version " + printable(version) + ", we know 1.x"
        );
    }
}

void set_location(Link& link, std::string_view base_url, std::string_view href) {
    auto url = without_credentials(resolve_url(base_url, href));
    const auto mark = std::min(url.find('#'), url.size());
    const auto fragment = url.substr(std::min(mark + 1, url.size()));
    url.resize(mark);
    for (const auto part : split(fragment, '&')) {
        const auto equals = part.find('=');
        if (equals != std::string_view::npos && part.substr(0, equals) != "egg"
            && part.substr(0, equals) != "subdirectory") {
            link.hashes.emplace(
                to_lower(part.substr(0, equals)), to_lower(part.substr(equals + 1))
            );
        }
    }
    link.url.clear();
    for (const char c : url) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte >= 0x7f || c == '"' || c == '<' || c == '>') {
            link.url += percent_encode_path({&c, 1});
        } else {
            link.url += c;
        }
    }
}

std::string filename_in(std::string_view url) {
    const auto path = url_path(url);
    return percent_decode(path.substr(path.rfind('/') + 1));
}

std::optional<std::map<std::string, std::string>> metadata_hashes_in(std::string_view attribute) {
    attribute = trim(attribute);
    if (const auto equals = attribute.find('='); equals != std::string_view::npos) {
        return std::map<std::string, std::string>{
            {to_lower(attribute.substr(0, equals)), to_lower(attribute.substr(equals + 1))}
        };
    }
    return attribute == "true" ? std::optional<std::map<std::string, std::string>>(std::in_place)
                               : std::nullopt;
}

RawPage read_page(std::string_view page_url, std::string_view content_type, std::string_view body) {
    const auto type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
    if (type.starts_with("application/vnd.pypi.simple.") && type.ends_with("+json")) {
        // "...simple.v2+json"; "latest" leaves it to the page itself.
        const auto version = type.substr(28, type.size() - 28 - 5);
        if (version != "v1" && version != "latest") {
            check_api_version(page_url, version.substr(version.starts_with('v') ? 1 : 0));
        }
        return read_json_page(page_url, body);
    }
    if (type == "application/json") {
        return read_json_page(page_url, body);
    }
    if (type == "text/html" || type == "application/xhtml+xml"
        || type == "application/vnd.pypi.simple.v1+html") {
        return read_html_page(page_url, body);
    }
    throw_bad_page(page_url, "its content type '" + printable(type) + "' is neither HTML nor JSON");
}

ProjectPage parse_simple_page(
    std::string_view project,
    std::string_view page_url,
    std::string_view content_type,
    std::string_view body,
    bool allow_file
) {
    return understand(
        read_page(page_url, content_type, body),
        {.project = project, .index_url = "", .allow_file = allow_file, .find_links = false}
    );
}

}  // namespace wheelforge::index
