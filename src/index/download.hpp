// SPDX-License-Identifier: Apache-2.0
// One file of an index onto the disk, checked while it streams. Blocking.
#pragma once

#include <filesystem>

#include "base/http.hpp"
#include "index/index.hpp"

namespace wheelforge::index {

/// As PackageIndex::download says. Nothing appears under its name before all checks have passed.
[[nodiscard]] PackageIndex::Download download_file(
    HttpClient& client,
    const DistributionFile& file,
    const std::filesystem::path& folder,
    bool offline
);

/// Removes what downloads of a killed process left in `folder`: older than a day, so that a
/// running one is not disturbed.
void sweep_downloads(const std::filesystem::path& folder);

}  // namespace wheelforge::index
