// SPDX-License-Identifier: Apache-2.0
// What the search holds at the moment: a trail of assignments, each of which narrows the states of
// one package, either decided or derived from an incompatibility.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "resolve/incompatibility.hpp"

namespace wheelforge::resolve {

struct Assignment {
    PackageId package = nobody;
    std::uint32_t level = 0;
    ClauseId cause = no_clause;  ///< no_clause: a decision
    StateSet after;              ///< what is known of the package from here on
};

class PartialSolution {
public:
    void add_package(std::size_t offers);
    [[nodiscard]] const StateSet& known(PackageId package) const { return slots_[package].known; }
    [[nodiscard]] std::uint32_t level() const noexcept { return level_; }
    [[nodiscard]] const std::vector<Assignment>& trail() const noexcept { return trail_; }
    /// Positions in the trail that are about this package, ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& trail_of(PackageId package) const {
        return slots_[package].trail;
    }
    /// Index in trail_of() from which on the package was known to be in `states`; its size if that
    /// is not known.
    [[nodiscard]] std::size_t first_within(PackageId package, const StateSet& states) const;
    /// The same, given that the package is in `also`.
    [[nodiscard]] std::size_t
    first_within(PackageId package, const StateSet& states, const StateSet& also) const;

    /// Opens a level in which the package is in `states`.
    void decide(PackageId package, const StateSet& states);
    void derive(PackageId package, const StateSet& states, ClauseId cause);
    void backtrack(std::uint32_t level);

    /// The wanted package to decide next: one with a single candidate, then a promoted one, then in
    /// the order of discovery.
    [[nodiscard]] std::optional<PackageId> next_undecided() const;
    /// All wanted and undecided packages in that order.
    [[nodiscard]] std::vector<PackageId> undecided() const;
    [[nodiscard]] bool decided(PackageId package) const { return slots_[package].decided_at > 0; }
    /// The package whose decision opened the level.
    [[nodiscard]] PackageId decided_on(std::uint32_t level) const;
    void promote(PackageId package);

private:
    struct Slot {
        StateSet known;
        std::vector<std::uint32_t> trail;
        std::uint32_t decided_at = 0;
        bool promoted = false;
        int rank = -1;  ///< -1: not on the agenda
    };
    void assign(PackageId package, const StateSet& states, ClauseId cause);
    void update_agenda(PackageId package);

    std::vector<Slot> slots_;
    std::vector<Assignment> trail_;
    std::uint32_t level_ = 0;
    std::set<std::pair<int, PackageId>> agenda_;
};

}  // namespace wheelforge::resolve
