// SPDX-License-Identifier: Apache-2.0
#include "pep/string_literal.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::array<std::pair<char, char>, 10> simple_escapes{{
    {'\\', '\\'},
    {'\'', '\''},
    {'"', '"'},
    {'a', '\a'},
    {'b', '\b'},
    {'f', '\f'},
    {'n', '\n'},
    {'r', '\r'},
    {'t', '\t'},
    {'v', '\v'},
}};

constexpr std::size_t hex_digits_of(char escape) {
    return escape == 'x' ? 2 : escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
}

std::optional<std::uint32_t> digit_value(char c, std::uint32_t base) {
    const char small = lower(c);
    const bool letter = small >= 'a' && small <= 'f';
    const std::uint32_t value = is_digit(c) ? static_cast<std::uint32_t>(c - '0')
                                : letter    ? static_cast<std::uint32_t>(small - 'a') + 10
                                            : base;
    return value < base ? std::optional(value) : std::nullopt;
}

void append_byte(std::string& text, std::uint32_t value) {
    text.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

/// Appends as UTF-8; false for what is no character.
bool append_character(std::string& text, std::uint32_t c) {
    if (c > 0x10FFFFU || (c >= 0xD800U && c <= 0xDFFFU)) {
        return false;
    }
    const int more = c < 0x80U ? 0 : c < 0x800U ? 1 : c < 0x10000U ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> lead{0x00, 0xC0, 0xE0, 0xF0};
    append_byte(text, lead.at(static_cast<std::size_t>(more)) | (c >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) {
        append_byte(text, 0x80U | ((c >> (6 * i)) & 0x3FU));
    }
    return true;
}

class Unescaper {
public:
    explicit Unescaper(std::string_view body) : body_(body) {}

    Parsed<std::string> run() {
        while (at_ < body_.size()) {
            const std::size_t start = at_;
            const char c = body_[at_++];
            if (c == '\0' || c == '\n' || c == '\r') {
                return parse_error("a string must not hold a line end or NUL", start);
            }
            if (c != '\\') {
                value_.push_back(c);
            } else if (!escape()) {
                return parse_error("this escape is not a character", start);
            }
        }
        return std::move(value_);
    }

private:
    bool escape() {
        if (at_ == body_.size()) {
            return false;
        }
        const char c = body_[at_];
        if (skip_line_end()) {
            return true;
        }
        for (const auto& [letter, value] : simple_escapes) {
            if (c == letter) {
                ++at_;
                value_.push_back(value);
                return true;
            }
        }
        if (hex_digits_of(c) != 0) {
            ++at_;
            return number(16, hex_digits_of(c), hex_digits_of(c));
        }
        if (digit_value(c, 8)) {
            return number(8, 1, 3);
        }
        // Python keeps the backslash of an escape that it does not know.
        value_.push_back('\\');
        return c != 'N';
    }

    /// A backslash at the end of a line joins it with the next one.
    bool skip_line_end() {
        const std::string_view rest = body_.substr(at_);
        const std::size_t length = rest.starts_with("\r\n")                           ? 2
                                   : rest.starts_with('\n') || rest.starts_with('\r') ? 1
                                                                                      : 0;
        at_ += length;
        return length != 0;
    }

    bool number(std::uint32_t base, std::size_t least, std::size_t most) {
        std::uint32_t value = 0;
        std::size_t count = 0;
        while (count < most && at_ < body_.size()) {
            const auto digit = digit_value(body_[at_], base);
            if (!digit) {
                break;
            }
            value = value * base + *digit;
            ++at_;
            ++count;
        }
        return count >= least && append_character(value_, value);
    }

    std::string_view body_;
    std::size_t at_ = 0;
    std::string value_;
};

}  // namespace

Parsed<std::string> unescape_literal(std::string_view body) {
    if (!is_valid_utf8(body)) {
        return parse_error("a string must be UTF-8");
    }
    return Unescaper(body).run();
}

}  // namespace wheelforge::pep
