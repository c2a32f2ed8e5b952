// SPDX-License-Identifier: Apache-2.0
// What settings and plugins tell the resolver: overrides, drops, pre-releases, couplings, and the
// versions a build has to share with the runtime set. Pure.
#pragma once

#include "config/settings.hpp"
#include "engine/job.hpp"
#include "engine/request.hpp"
#include "resolve/problem.hpp"

namespace wheelforge::engine {

/// What holds in every scope. Couplings bring packages into the runtime set; into a build
/// environment they bring none.
void add_rules(const config::Settings& settings, bool is_build, resolve::Problem& problem);

/// match_runtime of the package that is built: each name is in the environment, declared or not, at
/// the version of the runtime set, and so as the same sealed wheel. What the runtime set does not
/// have is not added.
/// @param runtime  null while it is not known: then names that the user's own lines mention are
///                 added, and those lines bound their versions
void match_runtime(
    const BootstrapRequest& request,
    const config::PackageSettings& built,
    const Solution& runtime,
    resolve::Problem& problem
);

}  // namespace wheelforge::engine
