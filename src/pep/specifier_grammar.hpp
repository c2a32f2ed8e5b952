// SPDX-License-Identifier: Apache-2.0
// The grammar of one version specifier (PEP 440), shared by specifiers and requirements.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pep/specifier.hpp"
#include "pep/version_grammar.hpp"

namespace wheelforge::pep {

/// The operator that stands at `from`; the longest one wins.
struct ScannedOperator {
    Specifier::Operator op;
    std::string_view text;
};
[[nodiscard]] std::optional<ScannedOperator> scan_operator(std::string_view text, std::size_t from);

struct ScannedSpecifier {
    ScannedOperator op;
    std::string_view version_text;          ///< with ".*"; anything for `===`
    std::optional<ScannedVersion> version;  ///< not for `===`
    bool wildcard = false;
    std::size_t end = 0;  ///< behind the last character that belongs to the specifier
};

/// Reads the longest specifier that starts at `from`, or says why there is none.
[[nodiscard]] Parsed<ScannedSpecifier> scan_specifier(std::string_view text, std::size_t from);

/// Why a specifier cannot go on at `at`, in words ("a local version needs == or !=").
[[nodiscard]] std::string_view
why_specifier_ends(std::string_view text, std::size_t at, const ScannedSpecifier& before);

}  // namespace wheelforge::pep
