// SPDX-License-Identifier: Apache-2.0
// Character classes of the packaging grammars. ASCII only and free of the locale, except for white
// space, where Python's `\s` (Unicode) is what the reference reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelforge::pep {

[[nodiscard]] constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept {
    return is_digit(c) || is_letter(c);
}

/// '.', '-' and '_', which the grammars use between parts.
[[nodiscard]] constexpr bool is_separator(char c) noexcept {
    return c == '.' || c == '-' || c == '_';
}

/// A character of a word, as far as word boundaries go; every byte of a non-ASCII character counts.
[[nodiscard]] constexpr bool is_word(char c) noexcept {
    return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}

[[nodiscard]] constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Lower case of ASCII letters only; every other byte stays.
[[nodiscard]] std::string lower(std::string_view text);
/// Whether two texts are equal but for the case of ASCII letters.
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// Bytes of the white space character at `at` (as Python's str.isspace), 0 if there is none.
[[nodiscard]] std::size_t space_length(std::string_view text, std::size_t at) noexcept;
/// First position from `at` on that is not white space.
[[nodiscard]] std::size_t skip_spaces(std::string_view text, std::size_t at) noexcept;
/// Position behind the last character that is not white space, not below `from`.
[[nodiscard]] std::size_t end_without_spaces(std::string_view text, std::size_t from) noexcept;

}  // namespace wheelforge::pep
