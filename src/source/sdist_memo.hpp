// SPDX-License-Identifier: Apache-2.0
// SdistFacts as JSON, so that an archive seen before need not be opened again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "source/sdist.hpp"

namespace wheelforge::source {

[[nodiscard]] std::string facts_to_json(const SdistFacts& facts);
/// nullopt for anything facts_to_json() did not write.
[[nodiscard]] std::optional<SdistFacts> facts_from_json(std::string_view json);

}  // namespace wheelforge::source
