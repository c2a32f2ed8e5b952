// SPDX-License-Identifier: Apache-2.0
#include "pep/name.hpp"

#include <algorithm>

#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

bool is_name_character(char c) noexcept {
    return is_alphanumeric(c) || is_separator(c);
}

/// Lower case, with every run of separators replaced by one `separator`.
std::string with_separator(std::string_view name, char separator) {
    std::string result;
    result.reserve(name.size());
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_separator(name[i])) {
            result.push_back(lower(name[i]));
        } else if (i == 0 || !is_separator(name[i - 1])) {
            result.push_back(separator);
        }
    }
    return result;
}

}  // namespace

bool is_valid_name(std::string_view name) noexcept {
    return !name.empty() && is_alphanumeric(name.front()) && is_alphanumeric(name.back())
           && std::all_of(name.begin(), name.end(), is_name_character);
}

std::string normalize_name(std::string_view name) {
    return with_separator(name, '-');
}

Parsed<std::string> parse_name(std::string_view name) {
    if (is_valid_name(name)) {
        return normalize_name(name);
    }
    if (name.empty()) {
        return parse_error("a name must not be empty");
    }
    if (!is_alphanumeric(name.front())) {
        return parse_error("a name starts with an ASCII letter or digit");
    }
    const auto bad = std::find_if_not(name.begin(), name.end(), is_name_character);
    if (bad != name.end()) {
        return parse_error(
            "a name has only ASCII letters, digits, '.', '-' and '_'",
            static_cast<std::size_t>(bad - name.begin())
        );
    }
    return parse_error("a name ends with an ASCII letter or digit", name.size() - 1);
}

std::string filename_form(std::string_view name) {
    return with_separator(name, '_');
}

}  // namespace wheelforge::pep
