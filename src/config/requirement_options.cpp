// SPDX-License-Identifier: Apache-2.0
#include "config/requirement_options.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>

#include "base/text.hpp"

namespace wheelforge::config {

namespace {

struct OptionRule {
    std::string_view name;
    std::string_view short_name;
    bool takes_value;
    OptionKind kind;
};

constexpr std::array<OptionRule, 12> rules{{
    {"--requirement", "-r", true, OptionKind::requirement},
    {"--constraint", "-c", true, OptionKind::constraint},
    {"--index-url", "-i", true, OptionKind::index_url},
    {"--extra-index-url", "", true, OptionKind::extra_index_url},
    {"--find-links", "-f", true, OptionKind::find_links},
    {"--trusted-host", "", true, OptionKind::trusted_host},
    {"--no-index", "", false, OptionKind::no_index},
    {"--pre", "", false, OptionKind::pre},
    {"--require-hashes", "", false, OptionKind::require_hashes},
    {"--no-binary", "", true, OptionKind::no_binary},
    {"--only-binary", "", true, OptionKind::only_binary},
    {"--hash", "", true, OptionKind::hash},
}};

struct RefusedOption {
    std::string_view name;
    std::string_view advice;
};

constexpr std::array<RefusedOption, 10> refused{{
    {"-e", "build it from its sdist, or write NAME @ URL"},
    {"--editable", "build it from its sdist, or write NAME @ URL"},
    {"--prefer-binary", "name what is taken as a wheel: --only-binary NAME"},
    {"--use-feature", "leave it out: pip does not run"},
    {"--global-option", "set config_settings for the package in its settings"},
    {"--install-option", "set config_settings for the package in its settings"},
    {"--build-option", "set config_settings for the package in its settings"},
    {"--config-setting", "set config_settings for the package in its settings"},
    {"--config-settings", "set config_settings for the package in its settings"},
    {"-C", "set config_settings for the package in its settings"},
}};

struct Word {
    std::string text;
    std::size_t offset = 0;
};

/// Splits as a shell would, without running anything.
class Splitter {
public:
    explicit Splitter(std::string_view text) : text_(text) {}

    Parsed<std::vector<Word>> run() {
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == ' ' || c == '\t') {
                end_word();
            } else if (c == '\'' || c == '"') {
                word();  // begins one, also when nothing is between the quotes
                if (!quoted(c)) {
                    return parse_error("a quote is not closed", at_);
                }
            } else if (c == '\\' && at_ + 1 < text_.size()) {
                word().text += text_[++at_];
            } else {
                word().text += c;
            }
        }
        end_word();
        return std::move(words_);
    }

private:
    /// From the opening quote to the closing one; false (and at the opening one) if there is none.
    bool quoted(char quote) {
        const std::size_t opening = at_;
        for (++at_; at_ < text_.size(); ++at_) {
            const bool escape = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()
                                && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
            if (text_[at_] == quote) {
                return true;
            }
            at_ += escape ? 1U : 0U;
            word().text += text_[at_];
        }
        at_ = opening;
        return false;
    }
    Word& word() {
        if (!word_) {
            word_ = Word{"", at_};
        }
        return *word_;
    }
    void end_word() {
        if (word_) {
            words_.push_back(std::move(*word_));
            word_.reset();
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<Word> word_;
    std::vector<Word> words_;
};

/// "--name=value", "-fvalue" or a word alone.
struct SplitWord {
    std::string name;
    std::optional<std::string> value;
};

SplitWord split_word(const std::string& word) {
    if (word.starts_with("--")) {
        const auto equals = word.find('=');
        return equals == std::string::npos
                   ? SplitWord{word, std::nullopt}
                   : SplitWord{word.substr(0, equals), word.substr(equals + 1)};
    }
    return word.size() <= 2 ? SplitWord{word, std::nullopt}
                            : SplitWord{word.substr(0, 2), word.substr(2)};
}

tl::unexpected<ParseError> unknown_option(const std::string& name, std::size_t offset) {
    for (const auto& option : refused) {
        if (option.name == name) {
            return parse_error(
                fmt::format("option {} is not supported; {}", name, option.advice), offset
            );
        }
    }
    std::vector<std::string> known;
    for (const auto& rule : rules) {
        known.emplace_back(rule.name);
    }
    const auto near = nearest(name, known, 1);
    return parse_error(
        near.empty() ? fmt::format("unknown option {}", name)
                     : fmt::format("unknown option {}; did you mean {}?", name, near[0]),
        offset
    );
}

}  // namespace

Parsed<std::vector<LineOption>> parse_line_options(std::string_view text) {
    const auto words = Splitter(text).run();
    if (!words) {
        return tl::unexpected(words.error());
    }
    std::vector<LineOption> options;
    for (std::size_t i = 0; i < words->size(); ++i) {
        const auto& [word, offset] = (*words)[i];
        if (!word.starts_with('-')) {
            return parse_error(fmt::format("'{}' belongs to no option", word), offset);
        }
        auto [name, value] = split_word(word);
        const auto* const rule = std::find_if(rules.begin(), rules.end(), [&](const auto& each) {
            return each.name == name || each.short_name == name;
        });
        if (rule == rules.end()) {
            return unknown_option(name, offset);
        }
        if (!rule->takes_value && value) {
            return parse_error(fmt::format("option {} takes no value", name), offset);
        }
        if (rule->takes_value && !value && i + 1 < words->size()) {
            value = (*words)[++i].text;
        }
        if (rule->takes_value && value.value_or("").empty()) {
            return parse_error(fmt::format("option {} needs a value", name), offset);
        }
        options.push_back({rule->kind, name, value.value_or(""), offset});
    }
    return options;
}

std::size_t options_start(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
        const bool at_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
        if (at_word && line[at] == '-') {
            return at;
        }
    }
    return line.size();
}

}  // namespace wheelforge::config
