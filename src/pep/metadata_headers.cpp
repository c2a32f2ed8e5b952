// SPDX-License-Identifier: Apache-2.0
#include "pep/metadata_headers.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Characters of a header's name: printable ASCII but ':'.
bool is_header_name(std::string_view name) {
    return !name.empty()
           && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

bool is_continuation(std::string_view line) {
    return line.starts_with(' ') || line.starts_with('\t');
}

}  // namespace

Parsed<std::vector<MetadataHeader>> parse_metadata_headers(std::string_view text) {
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos) {
        return parse_error("there is a NUL byte", nul);
    }
    const char* const start = text.data();
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    std::vector<MetadataHeader> headers;
    for (const std::string_view line : lines(text)) {
        if (is_continuation(line) && !headers.empty()) {
            headers.back().value += "\n" + std::string(trim(line));
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !is_header_name(line.substr(0, colon))) {
            break;
        }
        const std::size_t value = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
        headers.push_back(
            {std::string(line.substr(0, colon)),
             std::string(trim(line.substr(value))),
             static_cast<std::size_t>(line.data() + value - start)}
        );
    }
    return headers;
}

}  // namespace wheelforge::pep
