// SPDX-License-Identifier: Apache-2.0
// Which build starts next, and with how many cores: pure functions of what is ready and what is
// free. Tokens stand for cores and memory; disk joins when a recipe can say what it needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/recipe.hpp"

namespace wheelforge::engine {

struct Tokens {
    unsigned cpu = 1;
    unsigned memory = 1;
    bool idle = true;  ///< nothing is being built
};

struct ReadyBuild {
    plugin::PackageId id;
    std::size_t waiting = 0;  ///< jobs that wait for it, directly or not
    bool exclusive = false;   ///< exclusive_build: nothing else runs meanwhile
};

/// Most waited for first, then by name and version: never by arrival.
[[nodiscard]] std::vector<ReadyBuild> in_order(std::vector<ReadyBuild> ready);

struct Admission {
    plugin::PackageId id;
    unsigned cores = 1;
};
/// What to start now: each build costs one memory token and at least one core; cores that nobody
/// else is ready to use are shared out among those that start. A build that wants the machine for
/// itself comes when nothing else is ready or running, and gets all cores.
[[nodiscard]] std::vector<Admission> admit(std::vector<ReadyBuild> ready, Tokens free);

/// Compile jobs that a build on so many cores may run at once (build_options): as many as each
/// needs cores and memory, at least one.
[[nodiscard]] unsigned
compile_jobs(const config::PackageSettings& settings, unsigned cores, std::uint64_t memory_bytes);

}  // namespace wheelforge::engine
