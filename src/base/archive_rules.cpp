// SPDX-License-Identifier: Apache-2.0
#include "base/archive_rules.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace wheelforge {
namespace {

constexpr std::size_t longest_name = 4096;
constexpr std::size_t longest_part = 255;
constexpr std::int64_t newest_zip_time = 4354819198;  // 2107-12-31 23:59:58 UTC

bool is_control(unsigned char byte) {
    return byte < 0x20 || byte == 0x7f;
}

/// C0, DEL, and C1 as UTF-8 writes it (C2 80 to C2 9F).
bool has_control_character(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (is_control(byte)) {
            return true;
        }
        if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
            return true;
        }
    }
    return false;
}

const char* name_problem(std::string_view name) {
    if (name.empty()) {
        return "an empty name";
    }
    if (name.size() > longest_name) {
        return "a name above 4096 bytes";
    }
    if (name.find('\0') != std::string_view::npos) {
        return "a NUL byte in its name";
    }
    if (name.front() == '/') {
        return "an absolute name";
    }
    if (has_control_character(name)) {
        return "a control character in its name";
    }
    return is_valid_utf8(name) ? nullptr : "a name that is not valid UTF-8";
}

}  // namespace

Parsed<std::vector<std::string>> member_parts(std::string_view name) {
    if (const char* problem = name_problem(name)) {
        return parse_error(problem);
    }
    std::vector<std::string> parts;
    for (const auto part : split(name, '/')) {
        const auto offset = static_cast<std::size_t>(part.data() - name.data());
        if (part == "..") {
            return parse_error("'..' in its name", offset);
        }
        if (part.size() > longest_part) {
            return parse_error("a part above 255 bytes in its name", offset);
        }
        if (!part.empty() && part != ".") {
            parts.emplace_back(part);
        }
    }
    return parts;
}

bool link_stays_inside(std::span<const std::string> link, std::string_view target) {
    if (target.empty() || target.size() > longest_name || target.front() == '/'
        || target.find('\0') != std::string_view::npos || link.size() < 2) {
        return false;
    }
    std::size_t depth = link.size() - 1;  // the folder of the link; the root folder counts 1
    for (const auto part : split(target, '/')) {
        if (part == "..") {
            if (--depth == 0) {
                return false;
            }
        } else if (!part.empty() && part != ".") {
            ++depth;
        }
    }
    return true;
}

std::string join_parts(std::span<const std::string> parts) {
    return join(parts, "/");
}

std::int64_t clamp_mtime(std::int64_t mtime) noexcept {
    return std::clamp<std::int64_t>(mtime, 0, newest_zip_time);
}

Error member_refused(std::string id, std::string_view member, std::string_view rule) {
    constexpr std::size_t shown = 200;
    std::string name = printable(member.substr(0, shown));
    if (member.size() > shown) {
        name += "...";
    }
    return {ExitCode::refused, std::move(id), "member \"" + name + "\" has " + std::string(rule)};
}

}  // namespace wheelforge
