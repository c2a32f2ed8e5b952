// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <variant>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pep/marker_tree.hpp"
#include "pep/name.hpp"

namespace wheelforge::pep {

namespace {

using Node = Marker::Node;
using Names = std::set<std::string>;
using Value = std::variant<std::string, const Names*>;

[[noreturn]] void undefined(const Comparison& comparison) {
    throw Error(
        ExitCode::usage,
        "marker-comparison-undefined",
        "the operator " + comparison.op + " has no meaning between "
            + printable(comparison.left.text) + " and " + printable(comparison.right.text)
    );
}

/// What the variables are worth.
class Environment {
public:
    Environment(const MarkerEnvironment& values, std::string_view extra, const MarkerSets& sets)
        : values_(values), extra_(normalize_name(extra)), sets_(sets) {}

    [[nodiscard]] Value value_of(const std::string& variable) const {
        if (const Names* names = set_named(variable)) {
            return names;
        }
        const auto found = values_.find(variable);
        if (variable == "extra") {
            const bool given = !extra_.empty() || found == values_.end();
            return given ? extra_ : normalize_name(found->second);
        }
        if (found == values_.end()) {
            throw Error(
                ExitCode::usage,
                "marker-variable-missing",
                "the marker variable " + printable(variable) + " has no value"
            );
        }
        return variable == "python_full_version" ? repaired(found->second) : found->second;
    }

private:
    [[nodiscard]] const Names* set_named(std::string_view variable) const {
        const auto& names = variable == "extras" ? sets_.extras : sets_.dependency_groups;
        return holds_set(variable) && names ? &*names : nullptr;
    }

    /// An interpreter built between two tags calls itself "3.13.0a2+", which is no version.
    static std::string repaired(const std::string& version) {
        return version.ends_with('+') ? version + "local" : version;
    }

    const MarkerEnvironment& values_;
    std::string extra_;
    const MarkerSets& sets_;
};

/// Texts have no order: of two equal ones `<=` and `>=` hold, `<` and `>` never do.
bool compare_texts(
    const Comparison& comparison, const std::string& left, const std::string& right
) {
    const std::string& op = comparison.op;
    if (op == "in") {
        return right.find(left) != std::string::npos;
    }
    if (op == "not in") {
        return right.find(left) == std::string::npos;
    }
    if (op == "==" || op == "<=" || op == ">=") {
        return left == right;
    }
    if (op == "!=") {
        return left != right;
    }
    if (op == "<" || op == ">") {
        return false;
    }
    undefined(comparison);
}

/// A name is in a set or not; as a text it never equals one.
bool compare_with_set(const Comparison& comparison, const std::string& left, const Names& names) {
    const std::string& op = comparison.op;
    if (op == "in" || op == "not in") {
        const bool found = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return normalize_name(name) == normalize_name(left);
        });
        return found == (op == "in");
    }
    if (op == "~=" || op == "===") {
        undefined(comparison);
    }
    return op == "!=";
}

bool compare_versions(const Specifier& specifier, const std::string& version) {
    return specifier.contains(WrittenVersion::of(version));
}

bool evaluate_with_left_variable(const Comparison& comparison, const Environment& environment) {
    const Value left = environment.value_of(comparison.left.text);
    const auto* text = std::get_if<std::string>(&left);
    if (text == nullptr) {
        undefined(comparison);
    }
    if (comparison.specifier) {
        return compare_versions(*comparison.specifier, *text);
    }
    if (holds_set(comparison.left.text)) {
        return compare_texts(
            comparison, normalize_name(*text), normalize_name(comparison.right.text)
        );
    }
    return compare_texts(comparison, *text, comparison.right.text);
}

/// The literal stands on the left: '3' <= python_version, "x" in extras.
bool evaluate_with_right_variable(const Comparison& comparison, const Environment& environment) {
    const std::string& variable = comparison.right.text;
    const std::string& left = comparison.left.text;
    const Value right = environment.value_of(variable);
    if (const auto* names = std::get_if<const Names*>(&right)) {
        return compare_with_set(comparison, left, **names);
    }
    const std::string& text = std::get<std::string>(right);
    if (holds_version(variable)) {
        if (const auto specifier = Specifier::parse(comparison.op + text)) {
            return compare_versions(*specifier, left);
        }
    }
    if (holds_set(variable)) {
        return compare_texts(comparison, normalize_name(left), normalize_name(text));
    }
    return compare_texts(comparison, left, text);
}

bool evaluate_comparison(const Comparison& comparison, const Environment& environment) {
    // A literal on both sides asks for a variable named like the right one, as the reference does.
    return comparison.left.variable ? evaluate_with_left_variable(comparison, environment)
                                    : evaluate_with_right_variable(comparison, environment);
}

bool evaluate_node(const Node& node, const Environment& environment) {
    bool any = false;
    bool all = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0 && node.or_before[i - 1]) {
            any = any || all;
            all = true;
        }
        const auto* comparison = std::get_if<Comparison>(&node.items[i]);
        const bool holds =
            comparison != nullptr
                ? evaluate_comparison(*comparison, environment)
                : evaluate_node(*std::get<std::shared_ptr<const Node>>(node.items[i]), environment);
        all = all && holds;
    }
    return any || all;
}

}  // namespace

bool Marker::evaluate(
    const MarkerEnvironment& environment, std::string_view extra, const MarkerSets& sets
) const {
    return !root_ || evaluate_node(*root_, Environment(environment, extra, sets));
}

}  // namespace wheelforge::pep
