// SPDX-License-Identifier: Apache-2.0
// The outer form of core metadata: the headers of an e-mail message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::pep {

struct MetadataHeader {
    std::string name;        ///< as written
    std::string value;       ///< lines of a folded value joined by '\n', without their indent
    std::size_t offset = 0;  ///< of the value
};

/// Headers in file order, up to the first line that is none (what follows is the description).
/// NUL bytes anywhere are refused.
[[nodiscard]] Parsed<std::vector<MetadataHeader>> parse_metadata_headers(std::string_view text);

}  // namespace wheelforge::pep
