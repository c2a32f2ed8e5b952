// SPDX-License-Identifier: Apache-2.0
#include "pep/scanner.hpp"

#include <algorithm>

#include "pep/characters.hpp"

namespace wheelforge::pep {

bool Scanner::skip_blanks() noexcept {
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    return at_ != start;
}

bool Scanner::take(char c) noexcept {
    const bool found = looking_at(c);
    at_ += found ? 1 : 0;
    return found;
}

bool Scanner::take(std::string_view symbol) noexcept {
    const bool found = text_.substr(at_).starts_with(symbol);
    at_ += found ? symbol.size() : 0;
    return found;
}

bool Scanner::take_word(std::string_view word) noexcept {
    const bool found =
        text_.substr(at_).starts_with(word) && boundary_at(at_) && boundary_at(at_ + word.size());
    at_ += found ? word.size() : 0;
    return found;
}

std::optional<std::string_view> Scanner::take_identifier() noexcept {
    if (at_end() || !is_alphanumeric(text_[at_]) || !boundary_at(at_)) {
        return std::nullopt;
    }
    std::size_t end = at_;
    while (end < text_.size() && (is_alphanumeric(text_[end]) || is_separator(text_[end]))) {
        ++end;
    }
    while (end > at_ && !boundary_at(end)) {
        --end;
    }
    if (end == at_) {
        return std::nullopt;
    }
    const std::string_view identifier = text_.substr(at_, end - at_);
    at_ = end;
    return identifier;
}

std::optional<std::string_view> Scanner::take_url() noexcept {
    const std::size_t end = std::min(text_.find_first_of(" \t", at_), text_.size());
    if (end == at_) {
        return std::nullopt;
    }
    const std::string_view url = text_.substr(at_, end - at_);
    at_ = end;
    return url;
}

bool Scanner::boundary_at(std::size_t position) const noexcept {
    const bool before = position > 0 && is_word(text_[position - 1]);
    const bool after = position < text_.size() && is_word(text_[position]);
    return before != after;
}

}  // namespace wheelforge::pep
