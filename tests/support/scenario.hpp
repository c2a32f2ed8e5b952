// SPDX-License-Identifier: Apache-2.0
// Scenarios for the resolver, written as text, and ways to run them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/universe.hpp"

namespace wheelforge::test {

/// One file of tests/fixtures/resolve. Roots and constraints are the lines of requirements.txt and
/// constraints.txt.
struct Scenario {
    resolve::Problem problem;
    Universe universe;
    std::optional<std::map<std::string, std::string>> pins;  ///< "flask[async]" -> "3.1.0"
    std::optional<std::string> missing_extras;               ///< "flask[nope]"
    std::vector<std::string> suggestions;                    ///< "requirements.txt:1 -> flask 2.0"
    std::optional<std::string> prose;
    std::optional<std::size_t> most_decisions;
    std::optional<std::size_t> most_versions;  ///< whose requirements were looked at
};

[[nodiscard]] Scenario load_scenario(const std::string& path);

/// Everything an outcome says, as text.
[[nodiscard]] std::string describe(const resolve::Outcome& outcome);
/// "flask", "flask[async,dotenv]"
[[nodiscard]] std::string label(const std::string& name, const std::set<std::string>& extras);
/// Runs the resolver to its end, answering one question at a time in an order drawn by lot.
[[nodiscard]] resolve::Outcome
solve_shuffled(resolve::Resolver& resolver, resolve::Answerer& answerer, unsigned seed);

}  // namespace wheelforge::test
