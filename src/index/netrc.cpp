// SPDX-License-Identifier: Apache-2.0
#include "index/netrc.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace wheelforge::index {

namespace {

constexpr std::string_view blanks = " \t\r\n";

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t offset() const noexcept { return at_; }

    /// The next word, its quotes taken off; nullopt at the end.
    std::optional<std::string> word() {
        at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
        if (at_ == text_.size()) {
            return std::nullopt;
        }
        const bool is_quoted = text_[at_] == '"';
        at_ += is_quoted ? 1 : 0;
        std::string result;
        while (at_ < text_.size() && !ends_word(text_[at_], is_quoted)) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                ++at_;
            }
            result.push_back(text_[at_++]);
        }
        at_ += at_ < text_.size() && is_quoted ? 1 : 0;
        return result;
    }
    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
    /// To the first empty line.
    void skip_macro() {
        skip_line();
        while (at_ < text_.size()) {
            const auto start = at_ + 1;
            const auto end =
                std::min(text_.find('\n', std::min(start, text_.size())), text_.size());
            at_ = end;
            if (start >= end || trim(text_.substr(start, end - start)).empty()) {
                return;
            }
        }
    }

private:
    static bool ends_word(char c, bool is_quoted) {
        return is_quoted ? c == '"' : blanks.find(c) != std::string_view::npos;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

/// Where the value of a keyword goes; nullptr for a keyword that is none.
std::string* field_of(NetrcEntry& entry, std::string_view keyword, std::string& ignored) {
    if (keyword == "login" || keyword == "user") {
        return &entry.login;
    }
    if (keyword == "password") {
        return &entry.password;
    }
    return keyword == "account" ? &ignored : nullptr;
}

}  // namespace

Parsed<std::vector<NetrcEntry>> parse_netrc(std::string_view text) {
    std::vector<NetrcEntry> entries;
    Scanner scanner(text);
    std::string ignored;
    while (const auto keyword = scanner.word()) {
        if (keyword->starts_with('#')) {
            scanner.skip_line();
            continue;
        }
        if (*keyword == "default") {
            entries.emplace_back();
            continue;
        }
        if (*keyword == "macdef") {
            scanner.skip_macro();
            continue;
        }
        std::string* field = nullptr;
        if (*keyword == "machine") {
            field = &entries.emplace_back().machine;
        } else if (!entries.empty()) {
            field = field_of(entries.back(), *keyword, ignored);
        }
        const auto value = field != nullptr ? scanner.word() : std::nullopt;
        if (!value) {
            // Never the word itself: it may be a password.
            return parse_error("not a netrc keyword, or one without its value", scanner.offset());
        }
        *field = field == &entries.back().machine ? to_lower(*value) : *value;
    }
    return entries;
}

}  // namespace wheelforge::index
