// SPDX-License-Identifier: Apache-2.0
// Templates in values: config::expand.
#include <algorithm>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/settings.hpp"
#include "variant/variable.hpp"

namespace wheelforge::config {

namespace {

/// `NAME`, or names of a variant's own with dots: toolchain.root.
bool may_be_braced(std::string_view name) {
    const auto parts = split(name, '.');
    return std::all_of(parts.begin(), parts.end(), variant::is_variable_name);
}

/// One pass over a template: what is put in is never looked at again.
class Expansion {
public:
    Expansion(
        std::string_view text,
        const std::map<std::string, std::string>& variables,
        std::string_view origin
    )
        : text_(text), variables_(variables), origin_(origin) {}

    std::string run() {
        while (at_ < text_.size()) {
            const auto dollar = std::min(text_.find('$', at_), text_.size());
            out_ += text_.substr(at_, dollar - at_);
            at_ = dollar;
            if (at_ < text_.size()) {
                ++at_;
                reference();
            }
        }
        return std::move(out_);
    }

private:
    /// After a '$'.
    void reference() {
        const char next = at_ < text_.size() ? text_[at_] : '\0';
        if (next == '$') {
            out_ += '$';
            ++at_;
        } else if (next == '{') {
            ++at_;
            braced();
        } else if (next == '(') {
            throw bad("'$(' is refused, commands are not run for values");
        } else {
            constexpr std::string_view name_characters =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
            const auto end = std::min(text_.find_first_not_of(name_characters, at_), text_.size());
            if (!variant::is_variable_name(text_.substr(at_, end - at_))) {
                throw bad("a '$' stands alone, write '$$' for one");
            }
            put(text_.substr(at_, end - at_), nullptr);
            at_ = end;
        }
    }

    void braced() {
        const auto end = text_.find('}', at_);
        if (end == std::string_view::npos) {
            throw bad("'${' without '}'");
        }
        const auto inside = text_.substr(at_, end - at_);
        const auto dash = inside.find(":-");
        const auto name = inside.substr(0, dash);
        if (!may_be_braced(name)) {
            throw bad(fmt::format("'{}' is no name for a variable", name));
        }
        if (dash == std::string_view::npos) {
            put(name, nullptr);
        } else {
            const auto fallback = inside.substr(dash + 2);
            if (fallback.find(':') != std::string_view::npos) {
                throw bad("a default may not contain ':'");
            }
            put(name, &fallback);
        }
        at_ = end + 1;
    }

    /// An empty value counts as set.
    void put(std::string_view name, const std::string_view* fallback) {
        const auto found = variables_.find(std::string(name));
        if (found != variables_.end()) {
            out_ += found->second;
        } else if (fallback != nullptr) {
            out_ += *fallback;
        } else {
            throw Error{
                ExitCode::usage,
                "undefined-variable",
                fmt::format("{}: variable {} is not set", origin_, name)
            }
                .advise(fmt::format("give it a default: ${{{}:-DEFAULT}}", name));
        }
    }

    [[nodiscard]] Error bad(std::string_view why) const {
        return {
            ExitCode::usage, "bad-template", fmt::format("{}: in '{}': {}", origin_, text_, why)
        };
    }

    std::string_view text_;
    const std::map<std::string, std::string>& variables_;
    std::string_view origin_;
    std::size_t at_ = 0;
    std::string out_;
};

}  // namespace

std::string expand(
    std::string_view text,
    const std::map<std::string, std::string>& variables,
    std::string_view origin
) {
    return Expansion(text, variables, origin).run();
}

}  // namespace wheelforge::config
