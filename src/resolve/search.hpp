// SPDX-License-Identifier: Apache-2.0
// The heart of the solver: unit propagation and learning from conflicts over a growing set of
// incompatibilities. Knows nothing of names, versions or where the facts come from.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "resolve/partial_solution.hpp"

namespace wheelforge::resolve {

class Search {
public:
    /// @param base  for name[extra]: the package whose version it shares (nobody otherwise); it
    ///              must have as many offers
    PackageId add_package(std::size_t offers, PackageId base = nobody);
    /// Returns no_clause when the terms can never hold together, so that nothing is said.
    ClauseId add_fact(std::vector<Term> terms, Fact fact);
    /// Makes a fact stronger: its term on `package` holds in `states` too.
    void widen(ClauseId clause, PackageId package, const StateSet& states);

    /// Has an incompatibility checked whatever has changed.
    void look_again(ClauseId clause);

    /// Propagates and learns until nothing is left to do. False: there is no solution, because of
    /// refutation().
    [[nodiscard]] bool settle();
    /// Propagates only; the incompatibility that is violated, if one is.
    [[nodiscard]] std::optional<ClauseId> propagate();
    /// The facts a contradiction was derived from, in the order they were added, once each.
    [[nodiscard]] std::vector<ClauseId> refutation() const;

    void decide(PackageId package, const StateSet& states);
    /// Whether the incompatibility would be violated with the package at this offer.
    [[nodiscard]] bool violated_by(ClauseId clause, PackageId package, std::size_t offer) const;
    /// Undoes the decision of that level and all after it, and prefers to decide `early` from now
    /// on.
    void decide_before(PackageId early, std::uint32_t level);

    [[nodiscard]] const PartialSolution& solution() const noexcept { return solution_; }
    [[nodiscard]] const Incompatibility& clause(ClauseId id) const { return clauses_[id].content; }
    [[nodiscard]] std::size_t package_count() const noexcept { return packages_.size(); }
    [[nodiscard]] PackageId base_of(PackageId package) const { return packages_[package].base; }
    [[nodiscard]] const std::vector<PackageId>& extras_of(PackageId package) const {
        return packages_[package].extras;
    }
    [[nodiscard]] std::size_t conflicts() const noexcept { return conflicts_; }

private:
    struct Clause {
        Incompatibility content;
        std::uint32_t level = 0;  ///< the level of the search when it was last fully looked at
    };
    struct Package {
        PackageId base = nobody;
        std::vector<PackageId> extras;
        std::vector<ClauseId> mentioned_in;
        bool queued = false;
    };
    struct Satisfier {
        std::uint32_t position = 0;  ///< in the trail
        std::uint32_t previous_level = 0;
    };

    ClauseId store(std::vector<Term> terms, std::variant<Fact, Learnt> cause);
    void index(ClauseId clause);
    /// False if the incompatibility is violated.
    [[nodiscard]] bool check(ClauseId clause);
    [[nodiscard]] std::optional<ClauseId> check_mentions(PackageId package);
    [[nodiscard]] std::optional<ClauseId> check_same_version(PackageId extra);
    [[nodiscard]] std::optional<ClauseId>
    apply_same_version(PackageId extra, const StateSet& states);
    void derive(PackageId package, const StateSet& states, ClauseId cause);
    [[nodiscard]] bool learn_from(ClauseId conflict);
    [[nodiscard]] Satisfier satisfier_of(const std::vector<Term>& terms) const;
    [[nodiscard]] std::uint32_t
    own_earlier_level(const Assignment& satisfier, const StateSet& states) const;
    void backtrack(std::uint32_t level);

    std::vector<Package> packages_;
    std::vector<Clause> clauses_;
    PartialSolution solution_;
    std::deque<PackageId> changed_;
    std::deque<ClauseId> unseen_;  ///< to be checked whatever has changed
    /// Incompatibilities that were looked at at a level above 0; levels ascending.
    std::vector<std::pair<std::uint32_t, ClauseId>> looked_at_;
    std::optional<ClauseId> refuted_;
    std::size_t conflicts_ = 0;
};

}  // namespace wheelforge::resolve
