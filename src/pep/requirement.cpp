// SPDX-License-Identifier: Apache-2.0
#include "pep/requirement.hpp"

#include <utility>

#include "pep/marker_tree.hpp"
#include "pep/name.hpp"
#include "pep/scanner.hpp"
#include "pep/specifier_grammar.hpp"

namespace wheelforge::pep {

namespace {

class RequirementParser {
public:
    explicit RequirementParser(std::string_view text) : scanner_(text) {}

    Parsed<Requirement> parse() {
        auto done = parse_name().and_then([&] { return parse_extras(); }).and_then([&] {
            scanner_.skip_blanks();
            return scanner_.take('@') ? parse_url() : parse_specifiers();
        });
        if (!done) {
            return tl::unexpected(std::move(done).error());
        }
        return std::move(made_);
    }

private:
    using Done = Parsed<void>;

    Done parse_name() {
        scanner_.skip_blanks();
        const auto name = scanner_.take_identifier();
        if (!name) {
            return scanner_.fail("a requirement starts with the name of a project");
        }
        made_.written_name = *name;
        made_.name = normalize_name(*name);
        scanner_.skip_blanks();
        return {};
    }

    Done parse_extras() {
        if (!scanner_.take('[')) {
            return {};
        }
        scanner_.skip_blanks();
        if (take_extra()) {
            while (scanner_.take(',')) {
                scanner_.skip_blanks();
                if (!take_extra()) {
                    return scanner_.fail("expected the name of an extra behind ','");
                }
            }
        }
        if (!scanner_.take(']')) {
            return scanner_.fail("expected ',' or ']' in the list of extras");
        }
        return {};
    }

    bool take_extra() {
        const auto extra = scanner_.take_identifier();
        if (extra) {
            made_.extras.insert(normalize_name(*extra));
            made_.written_extras.emplace(*extra);
            scanner_.skip_blanks();
        }
        return extra.has_value();
    }

    Done parse_url() {
        scanner_.skip_blanks();
        const auto url = scanner_.take_url();
        if (!url) {
            return scanner_.fail("expected a URL behind '@'");
        }
        made_.url = *url;
        scanner_.skip_blanks();
        return parse_marker("expected ';' or the end behind the URL");
    }

    Done parse_specifiers() {
        const bool in_parentheses = scanner_.take('(');
        scanner_.skip_blanks();
        const std::size_t start = scanner_.position();
        if (auto done = parse_specifier_list(); !done) {
            return done;
        }
        scanner_.skip_blanks();
        if (in_parentheses && !scanner_.take(')')) {
            return scanner_.fail("expected ',' or ')' in the version specifier");
        }
        scanner_.skip_blanks();
        return parse_marker(
            scanner_.position() == start ? "expected a version specifier, '@', ';' or the end"
                                         : "expected ',', ';' or the end"
        );
    }

    /// Finds where the list ends, then reads it as a whole: `===` runs over commas, so that what
    /// looks like one specifier here may be several.
    Done parse_specifier_list() {
        const std::size_t start = scanner_.position();
        while (scan_operator(scanner_.text(), scanner_.position())) {
            const auto scanned = scan_specifier(scanner_.text(), scanner_.position());
            if (!scanned) {
                return tl::unexpected(scanned.error());
            }
            scanner_.move_to(scanned->end);
            if (scanner_.looking_at('+') || scanner_.looking_at('.')) {
                return scanner_.fail(
                    std::string(why_specifier_ends(scanner_.text(), scanned->end, *scanned))
                );
            }
            scanner_.skip_blanks();
            if (!scanner_.take(',')) {
                break;
            }
            scanner_.skip_blanks();
        }
        auto set = SpecifierSet::parse(scanner_.text().substr(start, scanner_.position() - start));
        if (!set) {
            return parse_error(set.error().message, start + set.error().offset);
        }
        made_.specifier = *std::move(set);
        return {};
    }

    Done parse_marker(const char* expected) {
        if (scanner_.at_end()) {
            return {};
        }
        if (!scanner_.take(';')) {
            return scanner_.fail(expected);
        }
        auto marker = MarkerParser(scanner_).parse();
        if (!marker) {
            return tl::unexpected(std::move(marker).error());
        }
        made_.marker = *std::move(marker);
        if (!scanner_.at_end()) {
            return scanner_.fail("expected 'and', 'or' or the end of the marker");
        }
        return {};
    }

    Scanner scanner_;
    Requirement made_;
};

}  // namespace

Parsed<Requirement> Requirement::parse(std::string_view text) {
    return RequirementParser(text).parse();
}

std::string Requirement::text_without_marker() const {
    std::string text = name;
    for (auto extra = extras.begin(); extra != extras.end(); ++extra) {
        text += (extra == extras.begin() ? "[" : ",") + *extra;
    }
    text += extras.empty() ? "" : "]";
    text += specifier.text();
    text += url ? " @ " + *url : "";
    return text;
}

std::string Requirement::text() const {
    const std::string_view before_marker = url ? " ; " : "; ";
    return text_without_marker() + (marker ? std::string(before_marker) + marker->text() : "");
}

}  // namespace wheelforge::pep
