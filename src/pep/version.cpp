// SPDX-License-Identifier: Apache-2.0
#include "pep/version.hpp"

#include "pep/characters.hpp"
#include "pep/version_builder.hpp"
#include "pep/version_grammar.hpp"

namespace wheelforge::pep {

Number::Number(std::uint64_t value) : digits_(std::to_string(value)) {}

Number Number::from_digits(std::string_view digits) {
    Number number;
    const std::size_t first = digits.find_first_not_of('0');
    if (first != std::string_view::npos) {
        number.digits_ = digits.substr(first);
    }
    return number;
}

Number Number::next() const {
    Number result = *this;
    for (std::size_t i = result.digits_.size(); i > 0; --i) {
        char& digit = result.digits_[i - 1];
        if (digit != '9') {
            ++digit;
            return result;
        }
        digit = '0';
    }
    result.digits_.insert(result.digits_.begin(), '1');
    return result;
}

std::optional<std::uint64_t> Number::small() const noexcept {
    constexpr std::size_t safe_digits = 19;  // 10^19 - 1 is below 2^64
    if (digits_.size() > safe_digits) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char digit : digits_) {
        value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return value;
}

std::strong_ordering Number::operator<=>(const Number& other) const noexcept {
    // No leading zeros, so the longer number is the greater one.
    const auto by_length = digits_.size() <=> other.digits_.size();
    return by_length != 0 ? by_length : digits_ <=> other.digits_;
}

Parsed<Version> Version::parse(std::string_view text) {
    const std::size_t start = skip_spaces(text, 0);
    const std::optional<ScannedVersion> scanned = scan_version(text, start);
    if (!scanned) {
        return parse_error("a version starts with a number", start);
    }
    if (skip_spaces(text, scanned->end) != text.size()) {
        return parse_error("this does not belong to a version", scanned->end);
    }
    return to_version(*scanned);
}

std::string Version::public_text() const {
    return text_.substr(0, text_.find('+'));
}

std::string Version::base_text() const {
    std::string text = epoch_.is_zero() ? "" : epoch_.text() + "!";
    for (std::size_t i = 0; i < release_.size(); ++i) {
        text += (i == 0 ? "" : ".") + release_[i].text();
    }
    return text;
}

std::string Version::local_text() const {
    std::string text;
    for (const LocalPart& part : local_) {
        const auto* number = std::get_if<Number>(&part);
        text += text.empty() ? "" : ".";
        text += number != nullptr ? number->text() : std::get<std::string>(part);
    }
    return text;
}

Version Version::without_local() const {
    VersionBuilder builder(*this);
    builder.local().clear();
    return builder.finish();
}

}  // namespace wheelforge::pep
