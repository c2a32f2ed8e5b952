// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "pep/marker_tree.hpp"
#include "pep/name.hpp"
#include "pep/string_literal.hpp"

namespace wheelforge::pep {

namespace {

// Deep enough for every marker that a person or a tool wrote, shallow enough for any stack.
constexpr int deepest = 200;

/// Spelling and present name; the dotted ones are from the times of PEP 345.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> variables{{
    {"python_version", "python_version"},
    {"python_full_version", "python_full_version"},
    {"os_name", "os_name"},
    {"os.name", "os_name"},
    {"sys_platform", "sys_platform"},
    {"sys.platform", "sys_platform"},
    {"platform_release", "platform_release"},
    {"platform_system", "platform_system"},
    {"platform_version", "platform_version"},
    {"platform.version", "platform_version"},
    {"platform_machine", "platform_machine"},
    {"platform.machine", "platform_machine"},
    {"platform_python_implementation", "platform_python_implementation"},
    {"platform.python_implementation", "platform_python_implementation"},
    {"python_implementation", "platform_python_implementation"},
    {"implementation_name", "implementation_name"},
    {"implementation_version", "implementation_version"},
    {"extra", "extra"},
    {"extras", "extras"},
    {"dependency_groups", "dependency_groups"},
}};

constexpr std::array<std::string_view, 8> symbols{"===", "==", "~=", "!=", "<=", ">=", "<", ">"};

/// PEP 685: names of extras and groups are compared in their normal form.
void normalize_names(Comparison& comparison) {
    Operand& left = comparison.left;
    Operand& right = comparison.right;
    if (left.variable && left.text == "extra" && !right.variable) {
        right.text = normalize_name(right.text);
    } else if (right.variable && !left.variable
               && (right.text == "extra" || holds_set(right.text))) {
        left.text = normalize_name(left.text);
    }
}

void prepare_specifier(Comparison& comparison) {
    if (comparison.left.variable && holds_version(comparison.left.text)) {
        if (auto specifier = Specifier::parse(comparison.op + comparison.right.text)) {
            comparison.specifier = *std::move(specifier);
        }
    }
}

}  // namespace

bool holds_version(std::string_view variable) noexcept {
    constexpr std::array<std::string_view, 4> names{
        "implementation_version", "platform_release", "python_full_version", "python_version"
    };
    return std::find(names.begin(), names.end(), variable) != names.end();
}

bool holds_set(std::string_view variable) noexcept {
    return variable == "extras" || variable == "dependency_groups";
}

Parsed<Marker> MarkerParser::parse() {
    Marker marker;
    auto root = parse_list();
    if (!root) {
        return tl::unexpected(std::move(root).error());
    }
    marker.root_ = *std::move(root);
    return marker;
}

Parsed<MarkerParser::NodePointer> MarkerParser::parse_list() {
    auto node = std::make_shared<Marker::Node>();
    while (true) {
        auto item = parse_atom();
        if (!item) {
            return tl::unexpected(std::move(item).error());
        }
        node->items.push_back(*std::move(item));
        const bool is_or = scanner_.take_word("or");
        if (!is_or && !scanner_.take_word("and")) {
            return node;
        }
        node->or_before.push_back(is_or);
    }
}

Parsed<Marker::Node::Item> MarkerParser::parse_atom() {
    scanner_.skip_blanks();
    const std::size_t start = scanner_.position();
    if (!scanner_.take('(')) {
        return parse_comparison().map([](Comparison&& comparison) {
            return Marker::Node::Item(std::move(comparison));
        });
    }
    if (++depth_ > deepest) {
        return parse_error("parentheses are nested too deep", start);
    }
    auto inner = parse_list();
    if (!inner) {
        return tl::unexpected(std::move(inner).error());
    }
    if (!scanner_.take(')')) {
        return scanner_.fail("expected 'and', 'or' or ')'");
    }
    --depth_;
    scanner_.skip_blanks();
    return Marker::Node::Item(*std::move(inner));
}

Parsed<Comparison> MarkerParser::parse_comparison() {
    Comparison comparison;
    auto left = parse_operand();
    if (!left) {
        return tl::unexpected(std::move(left).error());
    }
    comparison.left = *std::move(left);
    auto op = parse_operator();
    if (!op) {
        return tl::unexpected(std::move(op).error());
    }
    comparison.op = *std::move(op);
    auto right = parse_operand();
    if (!right) {
        return tl::unexpected(std::move(right).error());
    }
    comparison.right = *std::move(right);
    normalize_names(comparison);
    prepare_specifier(comparison);
    return comparison;
}

Parsed<Operand> MarkerParser::parse_operand() {
    scanner_.skip_blanks();
    for (const auto& [spelling, name] : variables) {
        if (scanner_.take_word(spelling)) {
            scanner_.skip_blanks();
            return Operand{true, std::string(name)};
        }
    }
    for (const char quote : {'\'', '"'}) {
        if (scanner_.looking_at(quote)) {
            return parse_literal(quote);
        }
    }
    return scanner_.fail("expected a marker variable or a quoted string");
}

Parsed<Operand> MarkerParser::parse_literal(char quote) {
    const std::size_t start = scanner_.position() + 1;
    const std::size_t end = scanner_.text().find(quote, start);
    if (end == std::string_view::npos) {
        return scanner_.fail("this quoted string has no end");
    }
    auto value = unescape_literal(scanner_.text().substr(start, end - start));
    if (!value) {
        return parse_error(value.error().message, start + value.error().offset);
    }
    scanner_.move_to(end + 1);
    scanner_.skip_blanks();
    return Operand{false, *std::move(value)};
}

Parsed<std::string> MarkerParser::parse_operator() {
    if (scanner_.take_word("in")) {
        return "in";
    }
    if (scanner_.take_word("not")) {
        if (!scanner_.skip_blanks() || !scanner_.take_word("in")) {
            return scanner_.fail("expected 'in' behind 'not'");
        }
        return "not in";
    }
    for (const std::string_view symbol : symbols) {
        if (scanner_.take(symbol)) {
            return std::string(symbol);
        }
    }
    return scanner_.fail("expected <=, <, !=, ==, >=, >, ~=, ===, in or not in");
}

}  // namespace wheelforge::pep
