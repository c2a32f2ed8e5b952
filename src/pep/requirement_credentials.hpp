// SPDX-License-Identifier: Apache-2.0
// `name @ https://user:password@host/x` tells us how to get at the file. What is written to disk or
// shown says the rest.
#pragma once

#include "pep/requirement.hpp"

namespace wheelforge::pep {

/// The same without the user info of its URL.
[[nodiscard]] Requirement without_credentials(Requirement requirement);

}  // namespace wheelforge::pep
