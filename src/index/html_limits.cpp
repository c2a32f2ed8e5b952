// SPDX-License-Identifier: Apache-2.0
#include "index/html_limits.hpp"

#include <algorithm>

namespace wheelforge::index {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c == '.';
}

bool is_name_part(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-';
}

/// Walks over one tag by the parser's own rules: quotes count only behind a '=', what is no name
/// is skipped to the next blank.
class TagScanner {
public:
    TagScanner(std::string_view page, std::size_t at) : page_(page), at_(at) {}

    [[nodiscard]] bool has_too_many_attributes() {
        skip_while(is_name_part);
        int attributes = 0;
        for (skip_while(is_blank); !at_end(); skip_while(is_blank)) {
            if (++attributes > max_attributes) {
                return true;
            }
            skip_attribute();
        }
        return false;
    }
    [[nodiscard]] std::size_t position() const noexcept { return at_; }

private:
    [[nodiscard]] char current() const { return at_ < page_.size() ? page_[at_] : '>'; }
    [[nodiscard]] bool at_end() const { return current() == '>' || page_.substr(at_, 2) == "/>"; }
    template <typename Kind>
    void skip_while(Kind is_kind) {
        while (at_ < page_.size() && is_kind(page_[at_])) {
            ++at_;
        }
    }
    void skip_attribute() {
        if (!is_name_start(current())) {
            while (!at_end() && !is_blank(current())) {
                ++at_;
            }
            return;
        }
        skip_while(is_name_part);
        skip_while(is_blank);
        if (current() == '=') {
            ++at_;
            skip_while(is_blank);
            skip_value();
        }
    }
    void skip_value() {
        const char quote = current();
        if (quote == '"' || quote == '\'') {
            at_ = std::min(page_.find(quote, at_ + 1), page_.size() - 1) + 1;
            return;
        }
        while (current() != '>' && !is_blank(current())) {
            ++at_;
        }
    }

    std::string_view page_;
    std::size_t at_;
};

}  // namespace

bool exceeds_html_limits(std::string_view page) {
    std::size_t budget = 8 * page.size() + (1U << 20U);
    for (auto at = page.find('<'); at != std::string_view::npos; at = page.find('<', at + 1)) {
        if (at + 1 == page.size() || !is_name_start(page[at + 1])) {
            continue;
        }
        TagScanner scanner(page, at + 1);
        const bool is_too_much = scanner.has_too_many_attributes();
        const auto steps = scanner.position() - at;
        if (is_too_much || steps > budget) {
            return true;
        }
        budget -= steps;
    }
    return false;
}

}  // namespace wheelforge::index
