// SPDX-License-Identifier: Apache-2.0
// Resolving where all facts can be had at once: for tests, and for asking "what if" about facts
// that are already known.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "resolve/resolver.hpp"

namespace wheelforge::resolve {

class Answerer {
public:
    virtual ~Answerer() = default;
    /// @param url  "" unless the name is wanted from a URL
    [[nodiscard]] virtual std::vector<Offer>
    versions(const std::string& name, const std::string& url) = 0;
    [[nodiscard]] virtual Dependencies
    requirements(const std::string& name, const pep::Version& version) = 0;
};

using Outcome = std::variant<Resolution, Conflict>;

/// Runs a resolver to its end.
[[nodiscard]] Outcome solve(Resolver& resolver, Answerer& answerer);
[[nodiscard]] Outcome solve(const Problem& problem, Answerer& answerer);

}  // namespace wheelforge::resolve
