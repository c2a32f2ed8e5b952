// SPDX-License-Identifier: Apache-2.0
#include "pep/license.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "pep/characters.hpp"
#include "pep/license_list.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::string_view reference_prefix = "licenseref-";
constexpr int deepest = 200;  // parentheses; the reference stops there too

struct Token {
    std::string_view text;
    std::size_t offset;
};

/// Words and parentheses.
std::vector<Token> tokenize(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t at = skip_spaces(text, 0); at < text.size(); at = skip_spaces(text, at)) {
        std::size_t end = at;
        while (end < text.size() && text[end] != '(' && text[end] != ')'
               && space_length(text, end) == 0) {
            ++end;
        }
        end = std::max(end, at + 1);
        tokens.push_back({text.substr(at, end - at), at});
        at = end;
    }
    return tokens;
}

bool is_operator(std::string_view word) {
    return equal_ignoring_case(word, "and") || equal_ignoring_case(word, "or");
}

bool is_with(std::string_view word) {
    return equal_ignoring_case(word, "with");
}

bool is_parenthesis(std::string_view word) {
    return word == "(" || word == ")";
}

bool is_license_reference(std::string_view word) {
    return equal_ignoring_case(word.substr(0, reference_prefix.size()), reference_prefix);
}

void add_once(std::vector<std::string>& list, const std::string& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) {
        list.push_back(value);
    }
}

/// Operands and operators take turns; a flag and a count of parentheses replace a stack.
class ExpressionParser {
public:
    explicit ExpressionParser(std::string_view text) : text_(text), tokens_(tokenize(text)) {
        for (const Token& token : tokens_) {
            if (is_license_reference(token.text)) {
                // One name written in two cases is one licence: the last spelling counts.
                references_[lower(token.text)] =
                    "LicenseRef-" + std::string(token.text.substr(reference_prefix.size()));
            }
        }
    }

    Parsed<LicenseExpression> parse() {
        for (; next_ < tokens_.size(); ++next_) {
            const Token& token = tokens_[next_];
            auto done = operand_expected_ ? take_operand(token) : take_operator(token);
            if (!done) {
                return tl::unexpected(std::move(done).error());
            }
        }
        if (operand_expected_ || depth_ > 0) {
            return parse_error(
                operand_expected_ ? "a licence is missing here" : "expected ')'", text_.size()
            );
        }
        return std::move(made_);
    }

private:
    using Done = Parsed<void>;

    Done take_operand(const Token& token) {
        if (token.text == "(") {
            if (++depth_ > deepest) {
                return parse_error("parentheses are nested too deep", token.offset);
            }
            append("(");
            return {};
        }
        if (token.text == ")" || is_operator(token.text) || is_with(token.text)) {
            return parse_error("a licence is missing here", token.offset);
        }
        operand_expected_ = false;
        auto done = is_license_reference(token.text) ? take_reference(token) : take_license(token);
        return done ? take_exception() : done;
    }

    Done take_operator(const Token& token) {
        if (token.text == ")" && depth_ > 0) {
            --depth_;
            made_.text += ")";
            return {};
        }
        if (!is_operator(token.text)) {
            return parse_error("expected AND, OR or ')'", token.offset);
        }
        append(equal_ignoring_case(token.text, "and") ? "AND" : "OR");
        operand_expected_ = true;
        return {};
    }

    Done take_reference(const Token& token) {
        const std::string_view id = token.text.substr(reference_prefix.size());
        const bool valid = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
            return is_alphanumeric(c) || c == '.' || c == '-';
        });
        if (!valid) {
            return parse_error(
                "a LicenseRef has only ASCII letters, digits, '.' and '-'", token.offset
            );
        }
        add_license(references_[lower(token.text)], false, "");
        return {};
    }

    Done take_license(const Token& token) {
        const bool or_later = token.text.ends_with('+');
        const auto& licenses = LicenseList::get().licenses;
        const auto found =
            licenses.find(lower(token.text.substr(0, token.text.size() - (or_later ? 1 : 0))));
        if (found == licenses.end()) {
            return parse_error("unknown licence '" + printable(token.text) + "'", token.offset);
        }
        add_license(found->second.id, found->second.deprecated, or_later ? "+" : "");
        return {};
    }

    /// "WITH exception" behind a licence.
    Done take_exception() {
        if (next_ + 1 >= tokens_.size() || !is_with(tokens_[next_ + 1].text)) {
            return {};
        }
        next_ += 2;
        if (next_ >= tokens_.size() || is_operator(tokens_[next_].text)
            || is_with(tokens_[next_].text) || is_parenthesis(tokens_[next_].text)) {
            return parse_error("an exception is missing behind WITH", tokens_[next_ - 1].offset);
        }
        const Token& token = tokens_[next_];
        const auto& exceptions = LicenseList::get().exceptions;
        const auto found = exceptions.find(lower(token.text));
        if (found == exceptions.end()) {
            return parse_error(
                "unknown licence exception '" + printable(token.text) + "'", token.offset
            );
        }
        append("WITH");
        append(found->second.id);
        add_once(made_.exceptions, found->second.id);
        if (found->second.deprecated) {
            add_once(made_.deprecated, found->second.id);
        }
        return {};
    }

    void add_license(const std::string& id, bool deprecated, std::string_view suffix) {
        append(id + std::string(suffix));
        add_once(made_.licenses, id);
        if (deprecated) {
            add_once(made_.deprecated, id);
        }
    }

    void append(std::string_view word) {
        if (!made_.text.empty() && !made_.text.ends_with('(')) {
            made_.text += " ";
        }
        made_.text += word;
    }

    std::string_view text_;
    std::vector<Token> tokens_;
    std::map<std::string, std::string> references_;
    std::size_t next_ = 0;
    bool operand_expected_ = true;
    int depth_ = 0;
    LicenseExpression made_;
};

}  // namespace

Parsed<LicenseExpression> LicenseExpression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

std::optional<std::string> canonical_license_id(std::string_view id) {
    const auto& licenses = LicenseList::get().licenses;
    const auto found = licenses.find(lower(id));
    return found == licenses.end() ? std::nullopt : std::optional(found->second.id);
}

std::string license_list_version() {
    return LicenseList::get().version;
}

}  // namespace wheelforge::pep
