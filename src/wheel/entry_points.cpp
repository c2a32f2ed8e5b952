// SPDX-License-Identifier: Apache-2.0
#include "wheel/entry_points.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelforge::wheel {
namespace {

std::string_view without_extras(std::string_view value) {
    return trim(value.substr(0, value.find('[')));
}

/// Python allows letters beyond ASCII; they are let through.
bool is_identifier_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
           || static_cast<unsigned char>(c) >= 0x80;
}

bool is_dotted_name(std::string_view text) {
    const auto parts = split(text, '.');
    return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
        return !part.empty() && (part.front() < '0' || part.front() > '9')
               && std::all_of(part.begin(), part.end(), is_identifier_byte);
    });
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

EntryPoints parse_entry_point_scripts(std::string_view text) {
    EntryPoints scripts;
    bool wanted = false;
    for (const auto raw : lines(text)) {
        const auto line = trim(raw);
        if (line.empty() || line.front() == '#' || line.front() == ';') {
            continue;
        }
        if (line.front() == '[' && line.back() == ']') {
            const auto section = trim(line.substr(1, line.size() - 2));
            wanted = section == "console_scripts" || section == "gui_scripts";
            continue;
        }
        const auto equals = line.find('=');
        if (wanted && equals != std::string_view::npos) {
            scripts.emplace(trim(line.substr(0, equals)), without_extras(line.substr(equals + 1)));
        }
    }
    return scripts;
}

bool is_safe_script_name(std::string_view name) {
    return !name.empty() && name.front() != '.'
           && name.find_first_of("/\\") == std::string_view::npos
           && std::none_of(name.begin(), name.end(), is_control);
}

bool is_script_value(std::string_view value) {
    const auto colon = value.find(':');
    return colon != std::string_view::npos && is_dotted_name(trim(value.substr(0, colon)))
           && is_dotted_name(trim(value.substr(colon + 1)));
}

}  // namespace wheelforge::wheel
