// SPDX-License-Identifier: Apache-2.0
// The rules of core metadata beyond what Metadata::parse() needs: for judging what a build made.
#pragma once

#include <string>
#include <vector>

#include "pep/metadata.hpp"

namespace wheelforge::pep {

struct MetadataProblem {
    std::string field;    ///< as the standard spells it, "License-Expression"
    std::string message;  ///< one sentence
};

/// Every rule that is broken: fields from a later metadata version, fields given twice, unknown
/// fields, licence expressions and files (PEP 639), extras, Dynamic (PEP 643), imports (PEP 794).
[[nodiscard]] std::vector<MetadataProblem> check_metadata(const Metadata& metadata);

}  // namespace wheelforge::pep
