// SPDX-License-Identifier: Apache-2.0
// METADATA of a wheel without the wheel: PEP 658 where the index offers it, else ranges. Blocking.
#pragma once

#include <optional>
#include <string>

#include "base/http.hpp"
#include "index/candidate.hpp"
#include "index/page_cache.hpp"

namespace wheelforge::index {

[[nodiscard]] std::optional<std::string> fetch_wheel_metadata(
    HttpClient& client, const PageCache& cache, const DistributionFile& wheel, bool offline
);

}  // namespace wheelforge::index
