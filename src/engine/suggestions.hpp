// SPDX-License-Identifier: Apache-2.0
// Which of the user's lines to relax so that there is a solution, tried with real facts.
#pragma once

#include <string>
#include <vector>

#include "engine/session.hpp"

namespace wheelforge::engine {

/// Sentences, best first; none when nothing simple helps or the search takes too long. Drives the
/// loop of the session until what it asks for is known: call it when the loop is idle. Nothing is
/// built.
[[nodiscard]] std::vector<std::string> suggestions(
    Session& session,
    Scopes& scopes,
    const resolve::Problem& problem,
    const resolve::Conflict& conflict
);

}  // namespace wheelforge::engine
