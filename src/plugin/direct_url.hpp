// SPDX-License-Identifier: Apache-2.0
// The URL of a direct reference taken apart (PEP 508, PEP 610, pip's VCS forms). Pure.
#pragma once

#include <map>
#include <string>

namespace wheelforge::plugin {

struct DirectUrl {
    bool is_git = false;
    std::string location;                         ///< without "git+", revision and fragment
    std::string revision;                         ///< of git; "" is the default branch
    std::map<std::string, std::string> fragment;  ///< decoded

    [[nodiscard]] std::string value(const std::string& key) const {
        const auto found = fragment.find(key);
        return found == fragment.end() ? std::string() : found->second;
    }
};

/// Throws Error{usage} "url-unsupported" for schemes that are neither http(s), file nor git+..., a
/// revision that git would read as an option, and a subdirectory that leaves the tree.
[[nodiscard]] DirectUrl parse_direct_url(const std::string& name, const std::string& url);

}  // namespace wheelforge::plugin
