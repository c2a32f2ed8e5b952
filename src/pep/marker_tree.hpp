// SPDX-License-Identifier: Apache-2.0
// The parsed form of a marker, and the parser that markers and requirements share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.hpp"
#include "pep/marker.hpp"
#include "pep/scanner.hpp"
#include "pep/specifier.hpp"

namespace wheelforge::pep {

struct Operand {
    bool variable = false;
    std::string text;  ///< the variable's present name, or the literal's value
};

struct Comparison {
    Operand left;
    std::string op;  ///< "==", "not in", ...
    Operand right;
    /// The operator and the right side as a version specifier, where the left side is a variable
    /// that holds a version and the right side is written so.
    std::optional<Specifier> specifier;
};

/// A list of comparisons and parenthesised lists as written: "a and (b or c) or d". `and` binds
/// closer than `or`. Depth is bounded by the parser, so walking it may recurse.
struct Marker::Node {
    using Item = std::variant<Comparison, std::shared_ptr<const Node>>;
    std::vector<Item> items;
    std::vector<bool> or_before;  ///< for items 1.. : joined by `or`
};

/// Whether the variable holds a version, so that comparing it follows PEP 440.
[[nodiscard]] bool holds_version(std::string_view variable) noexcept;
/// `extras` and `dependency_groups`.
[[nodiscard]] bool holds_set(std::string_view variable) noexcept;

class MarkerParser {
public:
    explicit MarkerParser(Scanner& scanner) : scanner_(scanner) {}
    /// Reads a marker and the blanks behind it; what follows is the caller's affair.
    [[nodiscard]] Parsed<Marker> parse();

private:
    using NodePointer = std::shared_ptr<const Marker::Node>;
    [[nodiscard]] Parsed<NodePointer> parse_list();
    [[nodiscard]] Parsed<Marker::Node::Item> parse_atom();
    [[nodiscard]] Parsed<Comparison> parse_comparison();
    [[nodiscard]] Parsed<Operand> parse_operand();
    [[nodiscard]] Parsed<Operand> parse_literal(char quote);
    [[nodiscard]] Parsed<std::string> parse_operator();

    Scanner& scanner_;
    int depth_ = 0;
};

}  // namespace wheelforge::pep
