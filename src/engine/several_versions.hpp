// SPDX-License-Identifier: Apache-2.0
// --multiple-versions, as Fromager has it: of what the user names every version that the lines
// allow, each resolved on its own and all built into one output folder.
#pragma once

#include <stop_token>
#include <vector>

#include "engine/observer.hpp"
#include "engine/report.hpp"
#include "engine/request.hpp"
#include "engine/resolution.hpp"

namespace wheelforge::engine {

/// One request for each version on offer that a root and the constraints allow, in the order of the
/// roots, the highest version first. Roots by URL, overridden ones, and those without any such
/// version stay as they are, so that resolving them says why.
/// Throws Error where the index fails, or `stop` was requested ("stopped").
[[nodiscard]] std::vector<BootstrapRequest>
one_per_version(const BootstrapRequest& request, Observer& observer, std::stop_token stop);

/// resolve_only() for each of them; the sets together. What has no solution is left out with a
/// notice; when nothing has one, the first failure is the answer.
[[nodiscard]] Resolved resolve_versions(
    const BootstrapRequest& request, ResolveDepth depth, Observer& observer, std::stop_token stop
);

/// bootstrap() for each of them, into one output folder with one report. A failure of one does not
/// keep the others from being built.
[[nodiscard]] Report
bootstrap_versions(const BootstrapRequest& request, Observer& observer, std::stop_token stop);

}  // namespace wheelforge::engine
