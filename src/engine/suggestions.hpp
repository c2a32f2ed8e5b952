// SPDX-License-Identifier: Apache-2.0
// Which of the user's lines to relax so that there is a solution, tried with real facts.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "engine/session.hpp"

namespace wheelforge::engine {

/// Time for all suggestions of a run: a conflict is told in seconds; so is the way out of it, or it
/// is left out.
inline constexpr std::chrono::seconds time_for_suggestions(10);

/// Sentences, best first; none when nothing simple helps or the search lasts beyond `end`. Drives
/// the loop of the session until what it asks for is known: call it when the loop is idle. Nothing
/// is built.
[[nodiscard]] std::vector<std::string> suggestions(
    Session& session,
    Scopes& scopes,
    const UnsolvedScope& unsolved,
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now()
                                                + time_for_suggestions
);

using UnsolvedScopes = std::map<plugin::PackageId, UnsolvedScope>;
using WaysOut = std::map<plugin::PackageId, std::vector<std::string>>;
/// The same for build scopes; where no line of the user is the cause, a bound on the version that
/// cannot be built. Whoever has no way out is left out.
[[nodiscard]] WaysOut ways_out(
    Session& session,
    Scopes& scopes,
    const UnsolvedScopes& unsolved,
    std::chrono::steady_clock::time_point end
);
/// The same for every job whose build scope has no solution, as its advice.
void advise_on_scopes(Session& session, Scopes& scopes, Jobs& jobs);

}  // namespace wheelforge::engine
