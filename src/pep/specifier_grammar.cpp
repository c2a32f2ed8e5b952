// SPDX-License-Identifier: Apache-2.0
#include "pep/specifier_grammar.hpp"

#include <array>

#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

using Operator = Specifier::Operator;

constexpr std::array<ScannedOperator, 8> operators{{
    {Operator::arbitrary, "==="},
    {Operator::equal, "=="},
    {Operator::not_equal, "!="},
    {Operator::compatible, "~="},
    {Operator::less_equal, "<="},
    {Operator::greater_equal, ">="},
    {Operator::less, "<"},
    {Operator::greater, ">"},
}};

bool takes_wildcard_and_local(Operator op) noexcept {
    return op == Operator::equal || op == Operator::not_equal;
}

/// `===` takes anything but white space, ';' and ')'.
ScannedSpecifier scan_arbitrary(std::string_view text, std::size_t from, ScannedOperator op) {
    std::size_t end = from;
    while (end < text.size() && text[end] != ';' && text[end] != ')' && space_length(text, end) == 0
    ) {
        ++end;
    }
    return {op, text.substr(from, end - from), std::nullopt, false, end};
}

}  // namespace

std::optional<ScannedOperator> scan_operator(std::string_view text, std::size_t from) {
    for (const ScannedOperator& candidate : operators) {
        if (text.substr(from).starts_with(candidate.text)) {
            return candidate;
        }
    }
    return std::nullopt;
}

Parsed<ScannedSpecifier> scan_specifier(std::string_view text, std::size_t from) {
    const std::optional<ScannedOperator> op = scan_operator(text, from);
    if (!op) {
        return parse_error("a specifier starts with ~=, ==, !=, <=, >=, <, > or ===", from);
    }
    const std::size_t start = skip_spaces(text, from + op->text.size());
    if (op->op == Operator::arbitrary) {
        return scan_arbitrary(text, start, *op);
    }
    const auto version = scan_version(
        text, start, takes_wildcard_and_local(op->op) ? VersionForm::whole : VersionForm::no_local
    );
    if (!version) {
        return parse_error("a version is missing behind the operator", start);
    }
    if (op->op == Operator::compatible && version->release.find('.') == std::string_view::npos) {
        return parse_error("~= needs at least two numbers, as in ~=1.0", version->release_end);
    }
    const std::size_t release_end = version->release_end;
    if (takes_wildcard_and_local(op->op) && text.substr(release_end).starts_with(".*")) {
        const std::size_t end = release_end + 2;
        return ScannedSpecifier{
            *op,
            text.substr(start, end - start),
            scan_version(text, start, VersionForm::release),
            true,
            end
        };
    }
    return ScannedSpecifier{
        *op, text.substr(start, version->end - start), version, false, version->end
    };
}

std::string_view
why_specifier_ends(std::string_view text, std::size_t at, const ScannedSpecifier& before) {
    const bool equality = takes_wildcard_and_local(before.op.op);
    if (text.substr(at).starts_with(".*")) {
        return equality ? "'.*' stands only behind a release, as in ==1.2.*"
                        : "'.*' needs == or !=";
    }
    if (text.substr(at).starts_with("+") && !equality) {
        return "a local version needs == or !=";
    }
    return "this does not belong to a version";
}

}  // namespace wheelforge::pep
