// SPDX-License-Identifier: Apache-2.0
#include "plugin/direct_url.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/http.hpp"
#include "base/text.hpp"

namespace wheelforge::plugin {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& url, const std::string& why) {
    throw Error(
        ExitCode::usage, "url-unsupported", name + " @ " + printable(masked_url(url)) + ": " + why
    )
        .advise("https://, http:// and file:// URLs of archives, wheels and folders are possible, "
                "and git+https://, git+http://, git+ssh://, git+file://");
}

bool leaves_tree(const std::string& folder) {
    const auto parts = split(folder, '/');
    return folder.starts_with('/') || std::find(parts.begin(), parts.end(), "..") != parts.end();
}

std::map<std::string, std::string> read_fragment(std::string_view text) {
    std::map<std::string, std::string> result;
    for (const auto part : split(text, '&')) {
        const auto equals = part.find('=');
        if (equals != std::string_view::npos) {
            result[percent_decode(part.substr(0, equals))] =
                percent_decode(part.substr(equals + 1));
        }
    }
    return result;
}

/// The '@' of a revision stands behind the host: "git@host" is a user.
void split_revision(DirectUrl& result) {
    const auto scheme = result.location.find("://");
    const auto path = result.location.find('/', scheme == std::string::npos ? 0 : scheme + 3);
    const auto at = result.location.rfind('@');
    if (path != std::string::npos && at != std::string::npos && at > path) {
        result.revision = percent_decode(result.location.substr(at + 1));
        result.location.resize(at);
    }
}

}  // namespace

DirectUrl parse_direct_url(const std::string& name, const std::string& url) {
    DirectUrl result;
    const auto hash = url.find('#');
    result.location = url.substr(0, hash);
    if (hash != std::string::npos) {
        result.fragment = read_fragment(std::string_view(url).substr(hash + 1));
    }
    constexpr std::string_view prefix = "git+";
    result.is_git = result.location.starts_with(prefix);
    if (result.is_git) {
        result.location = result.location.substr(prefix.size());
        split_revision(result);
    }
    const auto scheme = url_scheme(result.location);
    const bool known = scheme == "https" || scheme == "http" || scheme == "file"
                       || (result.is_git && scheme == "ssh");
    if (!known) {
        refuse(name, url, "the scheme '" + printable(scheme) + "' is not supported");
    }
    if (result.revision.starts_with('-') || result.revision.find(':') != std::string::npos) {
        refuse(name, url, "'" + printable(result.revision) + "' is no revision");
    }
    if (leaves_tree(result.value("subdirectory"))) {
        refuse(name, url, "the subdirectory leaves the tree");
    }
    return result;
}

}  // namespace wheelforge::plugin
