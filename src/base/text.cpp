// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace wheelforge {

namespace {

constexpr std::string_view whitespace = " \t\r\n\f\v";

unsigned byte_at(std::string_view text, std::size_t at) noexcept {
    return static_cast<unsigned char>(text[at]);
}

bool is_continuation(unsigned byte) noexcept {
    return (byte & 0xC0U) == 0x80U;
}

/// One character of UTF-8 text; length 0 where the text is not valid.
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t length = 0;
};

std::size_t length_by_first_byte(unsigned first) noexcept {
    if (first < 0x80U) {
        return 1;
    }
    if (first >= 0xC2U && first <= 0xDFU) {
        return 2;
    }
    if (first >= 0xE0U && first <= 0xEFU) {
        return 3;
    }
    return first >= 0xF0U && first <= 0xF4U ? 4 : 0;
}

/// Overlong forms, surrogates and values above U+10FFFF are not valid (RFC 3629).
bool is_scalar_value(std::uint32_t value, std::size_t length) noexcept {
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800U && value <= 0xDFFFU;
    return value >= least.at(length) && value <= 0x10FFFFU && !surrogate;
}

CodePoint decode(std::string_view text, std::size_t at) noexcept {
    const unsigned first = byte_at(text, at);
    const std::size_t length = length_by_first_byte(first);
    if (length == 1) {
        return {first, 1};
    }
    if (length == 0 || at + length > text.size()) {
        return {};
    }
    std::uint32_t value = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(byte_at(text, at + i))) {
            return {};
        }
        value = (value << 6U) | (byte_at(text, at + i) & 0x3FU);
    }
    return is_scalar_value(value, length) ? CodePoint{value, length} : CodePoint{};
}

/// Characters that move a terminal's cursor, end a line, or reorder what is shown.
bool is_dangerous(std::uint32_t c) noexcept {
    const bool control = c < 0x20U || (c >= 0x7FU && c <= 0x9FU);
    const bool separator = c == 0x2028U || c == 0x2029U;
    const bool direction = c == 0x061CU || c == 0x200EU || c == 0x200FU
                           || (c >= 0x202AU && c <= 0x202EU) || (c >= 0x2066U && c <= 0x2069U);
    // Soft hyphens, zero widths, tags: two names that look the same would be two.
    const bool invisible = c == 0xADU || (c >= 0x200BU && c <= 0x200DU)
                           || (c >= 0x2060U && c <= 0x2064U) || c == 0xFEFFU
                           || (c >= 0xE0000U && c <= 0xE007FU);
    return control || separator || direction || invisible;
}

/// Edit distance where swapping two neighbours is one edit too; gives up above `bound`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        if (*std::min_element(row.begin(), row.end()) > bound) {
            return bound + 1;
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) noexcept {
    const auto first = text.find_first_not_of(whitespace);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(whitespace) - first + 1);
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    for (auto end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator, start)) {
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::vector<std::string_view> lines(std::string_view text) {
    auto parts = split(text, '\n');
    if (parts.back().empty()) {
        parts.pop_back();
    }
    for (auto& part : parts) {
        if (part.ends_with('\r')) {
            part.remove_suffix(1);
        }
    }
    return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            out += separator;
        }
        out += parts[i];
    }
    return out;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    if (from.empty()) {
        return text;
    }
    std::string out;
    std::size_t start = 0;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, start)) {
        out.append(text, start, at - start);
        out += to;
        start = at + from.size();
    }
    return out.append(text, start);
}

std::string printable(std::string_view untrusted) {
    std::string out;
    out.reserve(untrusted.size());
    std::size_t at = 0;
    while (at < untrusted.size()) {
        const CodePoint character = decode(untrusted, at);
        const std::size_t length = std::max<std::size_t>(character.length, 1);
        if (character.length > 0 && !is_dangerous(character.value)) {
            out += untrusted.substr(at, length);
        } else {
            for (std::size_t i = 0; i < length; ++i) {
                out += fmt::format("\\x{:02x}", byte_at(untrusted, at + i));
            }
        }
        at += length;
    }
    return out;
}

bool is_valid_utf8(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = decode(text, at).length;
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

std::vector<std::string>
nearest(std::string_view word, std::span<const std::string> candidates, std::size_t limit) {
    constexpr std::size_t longest = 128;  // the work grows with the square of the length
    if (word.size() > longest) {
        return {};
    }
    const std::size_t bound = std::max<std::size_t>(2, word.size() / 3);
    std::vector<std::pair<std::size_t, const std::string*>> found;
    for (const auto& candidate : candidates) {
        if (candidate.size() > word.size() + bound || word.size() > candidate.size() + bound) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate, bound);
        // A word with every letter replaced is no typing mistake.
        if (distance <= bound && distance < std::max(word.size(), candidate.size())) {
            found.emplace_back(distance, &candidate);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    found.resize(std::min(found.size(), limit));
    std::vector<std::string> out;
    for (const auto& [distance, candidate] : found) {
        out.push_back(*candidate);
    }
    return out;
}

std::string human_bytes(std::uint64_t bytes) {
    constexpr std::array<const char*, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        return fmt::format("{} B", bytes);
    }
    double amount = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    // 1023.95 would be shown as 1024.0.
    while (amount >= 1023.95 && unit + 1 < units.size()) {
        amount /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", amount, units.at(unit));
}

std::string human_seconds(double seconds) {
    if (!(seconds > 0)) {
        return "0 s";
    }
    if (seconds < 9.95) {
        return fmt::format("{:.1f} s", seconds);
    }
    constexpr double most = 1e15;
    const auto whole = std::llround(std::min(seconds, most));
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace wheelforge
