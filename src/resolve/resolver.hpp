// SPDX-License-Identifier: Apache-2.0
// A PubGrub resolver that does no I/O (Weizenbaum, "PubGrub: Next-Generation Version Solving").
//
// next() says what it needs to know; the engine answers, in any order and many at once, and calls
// next() again. The outcome depends only on the Problem and the answers, never on their order or
// on time. Extras are virtual packages bound to the version of their base.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "resolve/conflict.hpp"
#include "resolve/problem.hpp"

namespace wheelforge::resolve {

struct NeedVersions {
    std::vector<std::string> names;  ///< normalised; never asked twice for the same source
    /// Names among them that are wanted from a URL ("name @ url") and from nowhere else: the answer
    /// is the one version found there, given together with that URL.
    std::map<std::string, std::string> urls;
};
struct NeedRequirements {
    std::vector<std::pair<std::string, pep::Version>> versions;  ///< never asked twice
};

/// A requirement as it applies in the solution.
struct Edge {
    std::string to;  ///< normalised name
    pep::Requirement requirement;
    Origin origin;
};

struct Pin {
    std::string name;
    pep::Version version;
    std::set<std::string> extras;          ///< those that are wanted
    std::set<std::string> missing_extras;  ///< of those, what the version does not have: a warning
    std::optional<std::string> url;        ///< when it is taken from a URL
    std::vector<Edge> requires_;           ///< those whose markers hold, sorted by name
    bool exact = true;                     ///< false when its requirements were an estimate
};

struct Resolution {
    std::vector<Pin> pins;    ///< sorted by name
    std::vector<Edge> roots;  ///< those whose markers hold
    [[nodiscard]] const Pin* find(std::string_view name) const noexcept;
};

/// How much work it was; grows with every step.
struct Statistics {
    std::size_t decisions = 0;
    std::size_t conflicts = 0;
    std::size_t versions_looked_at = 0;  ///< versions whose requirements were needed
    std::size_t restarts = 0;            ///< begun anew because a URL turned up for a known name
};

using Step = std::variant<NeedVersions, NeedRequirements, Resolution, Conflict>;

class Resolver {
public:
    explicit Resolver(Problem problem);
    Resolver(Resolver&&) noexcept;
    Resolver& operator=(Resolver&&) noexcept;
    ~Resolver();

    /// Runs until something is missing or all is decided. Only asks for what is still unanswered
    /// and unasked; with all questions asked but unanswered it returns an empty NeedVersions. What
    /// is needed comes before what may be: to have all questions under way call again until then.
    [[nodiscard]] Step next();
    /// @param url  the URL the question gave for this name, if it gave one. Whoever leaves it out
    ///             then says that there is nothing at that URL.
    void answer_versions(
        const std::string& name, std::vector<Offer> offers, const std::string& url = {}
    );
    void answer_requirements(
        const std::string& name, const pep::Version& version, Dependencies dependencies
    );
    [[nodiscard]] const Problem& problem() const noexcept;
    [[nodiscard]] Statistics statistics() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wheelforge::resolve
