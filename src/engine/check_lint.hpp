// SPDX-License-Identifier: Apache-2.0
// Variables used in vain, of every source that a check came across. Internal to check.
#pragma once

#include <vector>

#include "engine/check.hpp"
#include "engine/session.hpp"

namespace wheelforge::engine {

/// Reads the patched trees of those `ids` whose build an accelerator or settings have a say in.
/// Warnings `dead-variable` and `unset-arch-variable` (engine/tree_lint.hpp) with file and line.
[[nodiscard]] std::vector<CheckFinding> lint_sources(
    Session& session, const BootstrapRequest& request, const std::vector<plugin::PackageId>& ids
);

}  // namespace wheelforge::engine
