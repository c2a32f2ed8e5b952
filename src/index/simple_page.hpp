// SPDX-License-Identifier: Apache-2.0
// Parsing of simple repository pages: HTML (PEP 503, libxml2's SAX parser) and JSON (PEP 691, 700).
#pragma once

#include <string>
#include <string_view>

#include "index/candidate.hpp"

namespace wheelforge::index {

/// @param project       normalised name, needed to split old sdist names
/// @param page_url      final URL, base of relative references
/// @param content_type  decides HTML or JSON; "application/vnd.pypi.simple.v1+json", "text/html"
/// File URLs other than http(s) (file: when `allow_file`) are skipped with a reason. Throws
/// Error{surroundings} "bad-index-page" for API version 2+, invalid JSON or a foreign content type.
[[nodiscard]] ProjectPage parse_simple_page(
    std::string_view project,
    std::string_view page_url,
    std::string_view content_type,
    std::string_view body,
    bool allow_file = false
);

}  // namespace wheelforge::index
