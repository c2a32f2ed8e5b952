// SPDX-License-Identifier: Apache-2.0
#include "pep/build_backend.hpp"

#include <algorithm>

#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

bool is_identifier(std::string_view text) noexcept {
    return !text.empty() && !is_digit(text.front())
           && std::all_of(text.begin(), text.end(), is_word);
}

}  // namespace

bool is_dotted_name(std::string_view text) noexcept {
    while (true) {
        const std::size_t dot = text.find('.');
        if (!is_identifier(text.substr(0, dot))) {
            return false;
        }
        if (dot == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(dot + 1);
    }
}

bool is_backend(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    return is_dotted_name(text.substr(0, colon))
           && (colon == std::string_view::npos || is_dotted_name(text.substr(colon + 1)));
}

bool stays_in_tree(std::string_view path) noexcept {
    if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos) {
        return false;
    }
    // Below zero somewhere on the way is out, even if a later part comes back.
    int depth = 0;
    while (!path.empty() && depth >= 0) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, slash);
        depth += part == ".." ? -1 : part.empty() || part == "." ? 0 : 1;
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return depth >= 0;
}

}  // namespace wheelforge::pep
