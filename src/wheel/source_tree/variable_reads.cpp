// SPDX-License-Identifier: Apache-2.0
#include "wheel/source_tree/variable_reads.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "wheel/identifier.hpp"

namespace wheelforge::wheel {

namespace {

bool is_variable_name(std::string_view name) {
    return !name.empty() && (name[0] < '0' || name[0] > '9')
           && std::all_of(name.begin(), name.end(), is_word);
}

bool is_shouted(std::string_view name) {
    return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

struct Quoted {
    std::string_view name;
    std::size_t end = 0;  ///< offset behind the closing quote
};

/// The quoted word at `at`, after blanks and line breaks.
std::optional<Quoted> quoted_at(std::string_view text, std::size_t at) {
    at = skip_blanks(text, at);
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) {
        return std::nullopt;
    }
    constexpr std::size_t longest_name = 200;
    const std::size_t end = text.substr(0, at + longest_name).find(text[at], at + 1);
    if (end == std::string_view::npos || !is_variable_name(text.substr(at + 1, end - at - 1))) {
        return std::nullopt;
    }
    return Quoted{text.substr(at + 1, end - at - 1), end + 1};
}

/// The dotted name that ends at `end`: "os.environ.get".
std::string_view dotted_before(std::string_view text, std::size_t end) {
    std::size_t start = end;
    while (start > 0 && (is_word(text[start - 1]) || text[start - 1] == '.')) {
        --start;
    }
    return text.substr(start, end - start);
}

class Reader {
public:
    Reader(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

    void python() {
        for (std::size_t at = 0; at < text_.size(); ++at) {
            if (text_[at] == '(' || text_[at] == '[') {
                python_bracket(at);
            } else if (text_[at] == ' ' && text_.substr(at, 4) == " in ") {
                python_test(at);
            }
        }
    }

    void cmake() {
        constexpr std::string_view opening = "ENV{";
        for (std::size_t at = text_.find(opening); at != std::string_view::npos;
             at = text_.find(opening, at + 1)) {
            const std::size_t start = at + opening.size();
            const std::size_t end = std::min(text_.find('}', start), text_.size());
            const std::string_view before =
                trim(text_.substr(0, at).substr(at - std::min<std::size_t>(at, 12)));
            if (before.ends_with('$') || before.ends_with("DEFINED")) {
                add(text_.substr(start, end - start), at);
            }
        }
    }

    void rust() {
        constexpr std::array<std::string_view, 4> openings = {
            "env::var(", "env::var_os(", "option_env!(", "env!("
        };
        for (const std::string_view opening : openings) {
            for (std::size_t at = text_.find(opening); at != std::string_view::npos;
                 at = text_.find(opening, at + 1)) {
                if (const auto quoted = quoted_at(text_, at + opening.size())) {
                    add(quoted->name, at);
                }
            }
        }
    }

    std::vector<VariableRead> take() && { return std::move(reads_); }

private:
    void python_bracket(std::size_t at) {
        const std::string_view name = dotted_before(text_, at);
        const std::string_view last = name.substr(name.rfind('.') + 1);
        const bool mapping = name.ends_with("environ");
        const bool method = name.ends_with("environ.get") || name.ends_with("environ.pop")
                            || name.ends_with("environ.setdefault") || last == "getenv";
        if (!mapping && !method && to_lower(last).find("env") == std::string::npos) {
            return;
        }
        const auto quoted = quoted_at(text_, at + 1);
        if (!quoted) {
            return;
        }
        const bool certain = method || (mapping && text_[at] == '[');
        const bool likely = text_[at] == '(' && is_shouted(quoted->name) && !is_writer(last);
        if ((certain && !is_assigned(quoted->end)) || (!certain && likely)) {
            add(quoted->name, at);
        }
    }

    /// monkeypatch.setenv("X") and their like.
    static bool is_writer(std::string_view function) {
        constexpr std::array<std::string_view, 4> verbs = {"set", "put", "unset", "del"};
        return std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) {
            return function.starts_with(verb);
        });
    }

    /// Whether `["X"]`, whose word ends here, is the left side of an assignment.
    [[nodiscard]] bool is_assigned(std::size_t at) const {
        at = skip_blanks(text_, at);
        if (at >= text_.size() || text_[at] != ']') {
            return false;
        }
        const std::string_view behind = trim(text_.substr(at + 1, 8));
        return behind.starts_with('=') && !behind.starts_with("==");
    }

    void python_test(std::size_t at) {
        std::string_view container = trim(text_.substr(at + 4, 16));
        if (!container.starts_with("os.environ") && !container.starts_with("environ")) {
            return;
        }
        std::size_t end = at;
        if (text_.substr(0, end).ends_with(" not")) {
            end -= 4;
        }
        if (end == 0 || (text_[end - 1] != '"' && text_[end - 1] != '\'')) {
            return;
        }
        const std::size_t start = text_.rfind(text_[end - 1], end - 2);
        if (end >= 2 && start != std::string_view::npos) {
            add(text_.substr(start + 1, end - start - 2), at);
        }
    }

    void add(std::string_view name, std::size_t at) {
        if (!is_variable_name(name) || in_comment(at)) {
            return;
        }
        if (at < counted_) {  // not in order: another pattern of the same language
            counted_ = 0;
            line_ = 1;
        }
        const auto offset = [&](std::size_t value) {
            return text_.begin() + static_cast<std::ptrdiff_t>(value);
        };
        line_ += static_cast<int>(std::count(offset(counted_), offset(at), '\n'));
        counted_ = at;
        const bool known =
            std::any_of(reads_.rbegin(), reads_.rend(), [&](const VariableRead& read) {
                return read.line == line_ && read.name == name;
            });
        if (!known) {
            reads_.push_back({std::string(name), file_, line_});
        }
    }

    [[nodiscard]] bool in_comment(std::size_t at) const {
        const std::size_t start = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
        const std::string_view line = trim(text_.substr(start, at - start));
        return line.starts_with('#') || line.starts_with("//");
    }

    std::string file_;
    std::string_view text_;
    std::vector<VariableRead> reads_;
    std::size_t counted_ = 0;  ///< up to where lines were counted
    int line_ = 1;
};

enum class Language { none, python, cmake, rust };

Language language_of(const std::filesystem::path& path) {
    if (path.extension() == ".py") {
        return Language::python;
    }
    if (path.filename() == "CMakeLists.txt" || path.extension() == ".cmake") {
        return Language::cmake;
    }
    return path.filename() == "build.rs" ? Language::rust : Language::none;
}

}  // namespace

bool is_script(const std::filesystem::path& path) {
    return language_of(path) != Language::none;
}

std::vector<VariableRead> variables_in_script(const std::string& file, std::string_view text) {
    Reader reader(file, text);
    switch (language_of(file)) {
    case Language::python:
        reader.python();
        break;
    case Language::cmake:
        reader.cmake();
        break;
    case Language::rust:
        reader.rust();
        break;
    case Language::none:
        break;
    }
    return std::move(reader).take();
}

}  // namespace wheelforge::wheel
