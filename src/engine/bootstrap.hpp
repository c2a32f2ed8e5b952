// SPDX-License-Identifier: Apache-2.0
// From requirements to published wheels: solve the runtime set, build every member and every
// build tool from its sdist, correct estimates by what was built, write the output folder.
#pragma once

#include <stop_token>

#include "engine/graph.hpp"
#include "engine/observer.hpp"
#include "engine/report.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

/// Always returns a report (also written to report.json) when the output folder can be written;
/// throws Error otherwise. `stop` ends the run early, leaving a usable state.
[[nodiscard]] Report
bootstrap(const BootstrapRequest& request, Observer& observer, std::stop_token stop);

/// What several runs into one output folder made: the runtime sets united, every job, one graph.
struct Harvest {
    resolve::Resolution runtime;
    std::map<plugin::PackageId, Job> jobs;
    Graph graph;
};
/// The same, but the folder is not finished: what was made is added to `harvest`, whose owner does.
[[nodiscard]] Report bootstrap(
    const BootstrapRequest& request, Observer& observer, std::stop_token stop, Harvest& harvest
);

}  // namespace wheelforge::engine
