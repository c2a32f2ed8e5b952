// SPDX-License-Identifier: Apache-2.0
// Licence expressions (PEP 639, SPDX specification annex D) over the SPDX licence list.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::pep {

struct LicenseExpression {
    std::string text;                   ///< canonical: "MIT AND (Apache-2.0 OR BSD-2-Clause)"
    std::vector<std::string> licenses;  ///< each once, in order: "MIT", "LicenseRef-Own"
    std::vector<std::string> exceptions;
    std::vector<std::string> deprecated;  ///< those that the list advises against

    /// Any case is accepted and becomes the list's own. Refused: unknown names, bad structure.
    [[nodiscard]] static Parsed<LicenseExpression> parse(std::string_view text);
};

/// The canonical case of a licence's identifier; nullopt if the list does not know it.
[[nodiscard]] std::optional<std::string> canonical_license_id(std::string_view id);
/// The version of the list that we carry, "3.27.0".
[[nodiscard]] std::string license_list_version();

}  // namespace wheelforge::pep
