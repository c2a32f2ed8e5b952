// SPDX-License-Identifier: Apache-2.0
#include "pep/marker.hpp"

#include <algorithm>

#include "pep/marker_tree.hpp"

namespace wheelforge::pep {

namespace {

using Node = Marker::Node;
using NodePointer = std::shared_ptr<const Node>;

/// In the quotes that the value leaves free. A value that holds both kinds is escaped; the
/// reference cannot write it at all.
std::string quoted(const std::string& value) {
    if (value.find('"') == std::string::npos) {
        return '"' + value + '"';
    }
    if (value.find('\'') == std::string::npos) {
        return '\'' + value + '\'';
    }
    std::string escaped = "'";
    for (const char c : value) {
        escaped += c == '\'' ? "\\x27" : c == '\\' ? "\\\\" : std::string(1, c);
    }
    return escaped + "'";
}

std::string operand_text(const Operand& operand) {
    return operand.variable ? operand.text : quoted(operand.text);
}

std::string comparison_text(const Comparison& comparison) {
    return operand_text(comparison.left) + " " + comparison.op + " "
           + operand_text(comparison.right);
}

/// Parentheses around a single thing mean nothing and go; all others stay.
std::string node_text(const Node& node, bool outermost) {
    const auto item_text = [](const Node::Item& item, bool first) {
        const auto* comparison = std::get_if<Comparison>(&item);
        return comparison != nullptr ? comparison_text(*comparison)
                                     : node_text(*std::get<NodePointer>(item), first);
    };
    if (node.items.size() == 1) {
        return item_text(node.items.front(), outermost);
    }
    std::string text;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0) {
            text += node.or_before[i - 1] ? " or " : " and ";
        }
        text += item_text(node.items[i], false);
    }
    return outermost ? text : "(" + text + ")";
}

bool is_extra(const Operand& operand) {
    return operand.variable && operand.text == "extra";
}

bool mentions(const Node& node) {
    return std::any_of(node.items.begin(), node.items.end(), [](const Node::Item& item) {
        if (const auto* comparison = std::get_if<Comparison>(&item)) {
            return is_extra(comparison->left) || is_extra(comparison->right);
        }
        return mentions(*std::get<NodePointer>(item));
    });
}

}  // namespace

Parsed<Marker> Marker::parse(std::string_view text) {
    Scanner scanner(text);
    auto marker = MarkerParser(scanner).parse();
    if (marker && !scanner.at_end()) {
        return scanner.fail("expected 'and', 'or' or the end of the marker");
    }
    return marker;
}

std::string Marker::text() const {
    return root_ ? node_text(*root_, true) : "";
}

bool Marker::mentions_extra() const {
    return root_ && mentions(*root_);
}

}  // namespace wheelforge::pep
