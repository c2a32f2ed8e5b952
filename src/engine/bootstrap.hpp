// SPDX-License-Identifier: Apache-2.0
// From requirements to published wheels: solve the runtime set, build every member and every
// build tool from its sdist, correct estimates by what was built, write the output folder.
#pragma once

#include <stop_token>

#include "engine/observer.hpp"
#include "engine/report.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

/// Always returns a report (also written to report.json) when the output folder can be written;
/// throws Error otherwise. `stop` ends the run early, leaving a usable state.
[[nodiscard]] Report
bootstrap(const BootstrapRequest& request, Observer& observer, std::stop_token stop);

}  // namespace wheelforge::engine
