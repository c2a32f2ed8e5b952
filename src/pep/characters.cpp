// SPDX-License-Identifier: Apache-2.0
#include "pep/characters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace wheelforge::pep {

namespace {

/// White space outside ASCII, in UTF-8.
constexpr std::array<std::string_view, 18> wide_spaces{
    "\xC2\x85",
    "\xC2\xA0",
    "\xE1\x9A\x80",
    "\xE2\x80\x80",
    "\xE2\x80\x81",
    "\xE2\x80\x82",
    "\xE2\x80\x83",
    "\xE2\x80\x84",
    "\xE2\x80\x85",
    "\xE2\x80\x86",
    "\xE2\x80\x87",
    "\xE2\x80\x88",
    "\xE2\x80\x89",
    "\xE2\x80\x8A",
    "\xE2\x80\xA8",
    "\xE2\x80\xA9",
    "\xE2\x80\xAF",
    "\xE2\x81\x9F",
};
constexpr std::string_view ideographic_space = "\xE3\x80\x80";

constexpr bool is_ascii_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1C' && c <= '\x1F');
}

}  // namespace

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

std::size_t space_length(std::string_view text, std::size_t at) noexcept {
    if (at >= text.size()) {
        return 0;
    }
    if (static_cast<unsigned char>(text[at]) < 0x80U) {
        return is_ascii_space(text[at]) ? 1 : 0;
    }
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(ideographic_space)) {
        return ideographic_space.size();
    }
    for (const std::string_view space : wide_spaces) {
        if (rest.starts_with(space)) {
            return space.size();
        }
    }
    return 0;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) noexcept {
    for (std::size_t length = space_length(text, at); length != 0;
         length = space_length(text, at)) {
        at += length;
    }
    return at;
}

std::size_t end_without_spaces(std::string_view text, std::size_t from) noexcept {
    std::size_t end = from;
    for (std::size_t at = from; at < text.size();) {
        const std::size_t length = space_length(text, at);
        at += length == 0 ? 1 : length;
        if (length == 0) {
            end = at;
        }
    }
    return end;
}

}  // namespace wheelforge::pep
