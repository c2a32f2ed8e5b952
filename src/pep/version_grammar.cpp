// SPDX-License-Identifier: Apache-2.0
#include "pep/version_grammar.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "pep/characters.hpp"
#include "pep/version_builder.hpp"

namespace wheelforge::pep {

namespace {

using PreKind = Version::PreKind;

// A longer spelling stands before any that begins it.
constexpr std::array<std::pair<std::string_view, PreKind>, 8> pre_spellings{{
    {"alpha", PreKind::alpha},
    {"a", PreKind::alpha},
    {"beta", PreKind::beta},
    {"b", PreKind::beta},
    {"preview", PreKind::rc},
    {"pre", PreKind::rc},
    {"c", PreKind::rc},
    {"rc", PreKind::rc},
}};
constexpr std::array<std::string_view, 3> post_spellings{"post", "rev", "r"};

class VersionScanner {
public:
    VersionScanner(std::string_view text, std::size_t from) : text_(text), at_(from) {}

    std::optional<ScannedVersion> scan(VersionForm form) {
        if (looking_at("v")) {
            ++at_;
        }
        scan_epoch();
        if (!scan_release()) {
            return std::nullopt;
        }
        if (form != VersionForm::release) {
            scan_pre();
            scan_post();
            scan_dev();
        }
        if (form == VersionForm::whole) {
            scan_local();
        }
        found_.end = at_;
        return found_;
    }

private:
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    [[nodiscard]] bool looking_at(std::string_view word) const {
        return equal_ignoring_case(text_.substr(at_, word.size()), word);
    }

    std::string_view take_digits() {
        const std::size_t start = at_;
        while (is_digit(peek())) {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

    void skip_separator() {
        if (is_separator(peek())) {
            ++at_;
        }
    }

    bool skip_word(std::string_view word) {
        const bool found = looking_at(word);
        at_ += found ? word.size() : 0;
        return found;
    }

    void scan_epoch() {
        const std::size_t start = at_;
        const std::string_view digits = take_digits();
        if (!digits.empty() && peek() == '!') {
            ++at_;
            found_.epoch = digits;
        } else {
            at_ = start;
        }
    }

    bool scan_release() {
        const std::size_t start = at_;
        if (take_digits().empty()) {
            return false;
        }
        while (peek() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
            ++at_;
            take_digits();
        }
        found_.release = text_.substr(start, at_ - start);
        found_.release_end = at_;
        return true;
    }

    void scan_pre() {
        const std::size_t start = at_;
        skip_separator();
        for (const auto& [spelling, kind] : pre_spellings) {
            if (skip_word(spelling)) {
                skip_separator();
                found_.pre_kind = kind;
                found_.pre = {take_digits()};
                return;
            }
        }
        at_ = start;
    }

    void scan_post() {
        const std::size_t start = at_;
        if (peek() == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
            ++at_;
            found_.post = {take_digits()};
            return;
        }
        skip_separator();
        for (const std::string_view spelling : post_spellings) {
            if (skip_word(spelling)) {
                skip_separator();
                found_.post = {take_digits()};
                return;
            }
        }
        at_ = start;
    }

    void scan_dev() {
        const std::size_t start = at_;
        skip_separator();
        if (skip_word("dev")) {
            skip_separator();
            found_.dev = {take_digits()};
        } else {
            at_ = start;
        }
    }

    void scan_local() {
        if (peek() != '+' || at_ + 1 >= text_.size() || !is_alphanumeric(text_[at_ + 1])) {
            return;
        }
        const std::size_t start = ++at_;
        while (is_alphanumeric(peek())
               || (is_separator(peek()) && at_ + 1 < text_.size() && is_alphanumeric(text_[at_ + 1])
               )) {
            ++at_;
        }
        found_.local = text_.substr(start, at_ - start);
    }

    std::string_view text_;
    std::size_t at_;
    ScannedVersion found_;
};

}  // namespace

std::optional<ScannedVersion>
scan_version(std::string_view text, std::size_t from, VersionForm form) {
    return VersionScanner(text, from).scan(form);
}

namespace {

/// A letter without its number means zero.
Number number_of(ScannedNumber scanned) {
    return scanned.digits.empty() ? Number() : Number::from_digits(scanned.digits);
}

std::vector<Number> release_of(std::string_view text) {
    std::vector<Number> release;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t dot = std::min(text.find('.', at), text.size());
        release.push_back(Number::from_digits(text.substr(at, dot - at)));
        at = dot + 1;
    }
    return release;
}

Version::LocalPart local_part(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), is_digit)) {
        return Number::from_digits(text);
    }
    return lower(text);
}

std::vector<Version::LocalPart> local_of(std::string_view text) {
    std::vector<Version::LocalPart> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("._-", at), text.size());
        parts.push_back(local_part(text.substr(at, end - at)));
        at = end + 1;
    }
    return parts;
}

}  // namespace

Version to_version(const ScannedVersion& scanned) {
    VersionBuilder builder;
    if (!scanned.epoch.empty()) {
        builder.epoch() = Number::from_digits(scanned.epoch);
    }
    builder.release() = release_of(scanned.release);
    if (scanned.pre_kind) {
        builder.pre() = Version::Pre{*scanned.pre_kind, number_of(scanned.pre)};
    }
    if (scanned.post) {
        builder.post() = number_of(*scanned.post);
    }
    if (scanned.dev) {
        builder.dev() = number_of(*scanned.dev);
    }
    builder.local() = local_of(scanned.local);
    return builder.finish();
}

}  // namespace wheelforge::pep
