// SPDX-License-Identifier: Apache-2.0
#include "resolve/partial_solution.hpp"

#include <algorithm>

namespace wheelforge::resolve {

void PartialSolution::add_package(std::size_t offers) {
    Slot slot;
    slot.known = StateSet::all(offers);
    slots_.push_back(std::move(slot));
}

std::size_t PartialSolution::first_within(PackageId package, const StateSet& states) const {
    return first_within(package, states, StateSet::all(states.offers()));
}

std::size_t PartialSolution::first_within(
    PackageId package, const StateSet& states, const StateSet& also
) const {
    const std::vector<std::uint32_t>& own = slots_[package].trail;
    // What is known only ever shrinks, so the predicate turns true once.
    const auto found = std::partition_point(own.begin(), own.end(), [&](std::uint32_t position) {
        return !trail_[position].after.subset_of_when(also, states);
    });
    return static_cast<std::size_t>(found - own.begin());
}

void PartialSolution::decide(PackageId package, const StateSet& states) {
    ++level_;
    slots_[package].decided_at = level_;
    assign(package, states, no_clause);
}

void PartialSolution::derive(PackageId package, const StateSet& states, ClauseId cause) {
    assign(package, states, cause);
}

void PartialSolution::assign(PackageId package, const StateSet& states, ClauseId cause) {
    Slot& slot = slots_[package];
    slot.known &= states;
    slot.trail.push_back(static_cast<std::uint32_t>(trail_.size()));
    trail_.push_back({package, level_, cause, slot.known});
    update_agenda(package);
}

void PartialSolution::backtrack(std::uint32_t level) {
    while (!trail_.empty() && trail_.back().level > level) {
        const PackageId package = trail_.back().package;
        Slot& slot = slots_[package];
        slot.trail.pop_back();
        if (trail_.back().cause == no_clause) {
            slot.decided_at = 0;
        }
        slot.known = slot.trail.empty() ? StateSet::all(slot.known.offers())
                                        : trail_[slot.trail.back()].after;
        trail_.pop_back();
        update_agenda(package);
    }
    level_ = level;
}

void PartialSolution::update_agenda(PackageId package) {
    Slot& slot = slots_[package];
    int rank = -1;
    if (slot.decided_at == 0 && !slot.known.has_absent()) {
        rank = slot.known.count_present() == 1 ? 0 : slot.promoted ? 1 : 2;
    }
    if (rank == slot.rank) {
        return;
    }
    if (slot.rank >= 0) {
        agenda_.erase({slot.rank, package});
    }
    if (rank >= 0) {
        agenda_.insert({rank, package});
    }
    slot.rank = rank;
}

std::optional<PackageId> PartialSolution::next_undecided() const {
    return agenda_.empty() ? std::nullopt : std::optional(agenda_.begin()->second);
}

std::vector<PackageId> PartialSolution::undecided() const {
    std::vector<PackageId> result;
    for (const auto& [rank, package] : agenda_) {
        result.push_back(package);
    }
    return result;
}

PackageId PartialSolution::decided_on(std::uint32_t level) const {
    const auto first =
        std::partition_point(trail_.begin(), trail_.end(), [level](const Assignment& one) {
            return one.level < level;
        });
    return first->package;
}

void PartialSolution::promote(PackageId package) {
    slots_[package].promoted = true;
    update_agenda(package);
}

}  // namespace wheelforge::resolve
