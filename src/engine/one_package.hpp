// SPDX-License-Identifier: Apache-2.0
// One package with its build tools and nothing else: built and published, or entered, to stand
// where its build would have run.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/observer.hpp"
#include "engine/report.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

struct OnePackage {
    std::string name;                     ///< normalised
    std::optional<pep::Version> version;  ///< nullopt: the one that the runtime set has
};

/// The build scope prefers what the runtime set of the request has, as in bootstrap(). Wheel and
/// record go to the output folder; graph.json and constraints.txt there stay as they are.
[[nodiscard]] Report build_one(
    const BootstrapRequest& request,
    const OnePackage& package,
    Observer& observer,
    std::stop_token stop
);

struct Entered {
    std::optional<int> exit_code;  ///< of the program; nullopt when it did not come to that
    Report report;                 ///< what was done before
};
/// Equips the build of the package and runs `argv` instead of its backend. Everything private to
/// the build is thrown away afterwards.
[[nodiscard]] Entered enter_one(
    const BootstrapRequest& request,
    const OnePackage& package,
    const std::vector<std::string>& argv,
    Observer& observer,
    std::stop_token stop
);

}  // namespace wheelforge::engine
