// SPDX-License-Identifier: Apache-2.0
// Names that stand near a name that no index knows, for "did you mean".
#pragma once

#include <string>
#include <vector>

#include "engine/catalog.hpp"
#include "engine/request.hpp"
#include "store/store.hpp"

namespace wheelforge::engine {

/// First what the name is known to stand for (src/engine/other_names.yaml), then those near it by
/// spelling: among what this run asked indexes for, what settings and constraints name, what lies
/// in the --find-links folders, and what the store has built.
[[nodiscard]] std::vector<std::string> names_near(
    const std::string& name,
    const Catalog& catalog,
    const BootstrapRequest& request,
    const store::Store& store
);

}  // namespace wheelforge::engine
