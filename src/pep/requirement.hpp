// SPDX-License-Identifier: Apache-2.0
// Dependency specifiers (PEP 508).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "pep/marker.hpp"
#include "pep/specifier.hpp"

namespace wheelforge::pep {

struct Requirement {
    std::string name;              ///< normalised
    std::string written_name;      ///< as written
    std::set<std::string> extras;  ///< normalised
    std::set<std::string> written_extras;
    SpecifierSet specifier;
    std::optional<std::string> url;
    std::optional<Marker> marker;

    [[nodiscard]] static Parsed<Requirement> parse(std::string_view text);
    /// Canonical text (as packaging's str(Requirement), but with the normalised name).
    [[nodiscard]] std::string text() const;
    /// The same without the marker.
    [[nodiscard]] std::string text_without_marker() const;
};

}  // namespace wheelforge::pep
