// SPDX-License-Identifier: Apache-2.0
#include "pep/toml_depth.hpp"

#include <algorithm>

namespace wheelforge::pep {

namespace {

constexpr int most_parts = 32;

/// Walks over strings and comments, which may hold any number of dots.
class KeyWalker {
public:
    explicit KeyWalker(std::string_view toml) : text_(toml) {}

    std::optional<std::size_t> run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                skip_string(c);
                continue;
            }
            if (c == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
                continue;
            }
            if (c == '.' && ++dots_ >= most_parts) {
                return at_;
            }
            if (c == '\n' || c == '=' || c == ',' || c == '{' || c == '[') {
                dots_ = 0;
            }
            ++at_;
        }
        return std::nullopt;
    }

private:
    void skip_string(char quote) {
        const std::string_view rest = text_.substr(at_);
        const bool multi_line = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
        const std::size_t width = multi_line ? 3 : 1;
        at_ += width;
        while (at_ < text_.size()) {
            if (text_[at_] == '\\' && quote == '"') {
                at_ += 2;
                continue;
            }
            if (text_[at_] == '\n' && !multi_line) {
                return;  // the library will say what is wrong with it
            }
            if (closes(quote, width)) {
                at_ += width;
                return;
            }
            ++at_;
        }
        at_ = text_.size();
    }

    [[nodiscard]] bool closes(char quote, std::size_t width) const {
        const std::string_view rest = text_.substr(at_, width);
        return rest.size() == width
               && std::all_of(rest.begin(), rest.end(), [&](char c) { return c == quote; });
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int dots_ = 0;
};

}  // namespace

std::optional<std::size_t> find_overlong_toml_key(std::string_view toml) {
    return KeyWalker(toml).run();
}

}  // namespace wheelforge::pep
