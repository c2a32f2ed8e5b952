// SPDX-License-Identifier: Apache-2.0
#include "resolve/search.hpp"

#include <algorithm>

namespace wheelforge::resolve {

PackageId Search::add_package(std::size_t offers, PackageId base) {
    const auto id = static_cast<PackageId>(packages_.size());
    Package package;
    package.base = base;
    packages_.push_back(std::move(package));
    solution_.add_package(offers);
    if (base != nobody) {
        packages_[base].extras.push_back(id);
    }
    return id;
}

ClauseId Search::store(std::vector<Term> terms, std::variant<Fact, Learnt> cause) {
    const auto id = static_cast<ClauseId>(clauses_.size());
    clauses_.push_back({Incompatibility{std::move(terms), std::move(cause)}, 0});
    return id;
}

void Search::index(ClauseId clause) {
    for (const Term& term : clauses_[clause].content.terms) {
        packages_[term.package].mentioned_in.push_back(clause);
    }
}

void Search::look_again(ClauseId clause) {
    unseen_.push_back(clause);
    clauses_[clause].level = solution_.level();
    if (solution_.level() > 0) {
        looked_at_.emplace_back(solution_.level(), clause);
    }
}

ClauseId Search::add_fact(std::vector<Term> terms, Fact fact) {
    std::vector<Term> merged;
    for (const Term& term : terms) {
        conjoin(merged, term.package, term.states);
    }
    if (!can_hold(merged)) {
        return no_clause;
    }
    drop_full(merged);
    const ClauseId id = store(std::move(merged), std::move(fact));
    index(id);
    look_again(id);
    return id;
}

void Search::widen(ClauseId clause, PackageId package, const StateSet& states) {
    for (Term& term : clauses_[clause].content.terms) {
        if (term.package == package) {
            term.states |= states;
        }
    }
    look_again(clause);
}

void Search::decide(PackageId package, const StateSet& states) {
    solution_.decide(package, states);
    changed_.push_back(package);
    packages_[package].queued = true;
}

bool Search::violated_by(ClauseId id, PackageId package, std::size_t offer) const {
    const std::vector<Term>& terms = clauses_[id].content.terms;
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
        return term.package == package ? term.states.has(offer)
                                       : solution_.known(term.package).subset_of(term.states);
    });
}

void Search::decide_before(PackageId early, std::uint32_t level) {
    backtrack(level - 1);
    solution_.promote(early);
}

bool Search::settle() {
    while (const std::optional<ClauseId> conflict = propagate()) {
        ++conflicts_;
        if (!learn_from(*conflict)) {
            return false;
        }
    }
    return true;
}

void Search::backtrack(std::uint32_t level) {
    for (const PackageId package : changed_) {
        packages_[package].queued = false;
    }
    changed_.clear();
    solution_.backtrack(level);
    // Incompatibilities that came later have never been looked at in the light of this level.
    for (auto entry = looked_at_.rbegin(); entry != looked_at_.rend(); ++entry) {
        if (entry->first <= level) {
            break;
        }
        entry->first = level;
        if (clauses_[entry->second].level > level) {
            clauses_[entry->second].level = level;
            unseen_.push_back(entry->second);
        }
    }
    if (level == 0) {
        looked_at_.clear();
    }
}

bool Search::learn_from(ClauseId conflict) {
    std::vector<Term> terms = clauses_[conflict].content.terms;
    Learnt learnt{{conflict}};
    while (!terms.empty()) {
        const Satisfier found = satisfier_of(terms);
        const Assignment& satisfier = solution_.trail()[found.position];
        if (satisfier.cause == no_clause || found.previous_level < satisfier.level) {
            backtrack(found.previous_level);
            if (learnt.premises.size() > 1) {
                conflict = store(std::move(terms), std::move(learnt));
                index(conflict);
            }
            look_again(conflict);
            return true;
        }
        learnt.premises.push_back(satisfier.cause);
        terms = resolvent(terms, clauses_[satisfier.cause].content.terms, satisfier.package);
    }
    refuted_ = store({}, std::move(learnt));
    return false;
}

Search::Satisfier Search::satisfier_of(const std::vector<Term>& terms) const {
    Satisfier result;
    std::uint32_t level_of_best = 0;
    const Term* best = nullptr;
    for (const Term& term : terms) {
        const std::size_t nth = solution_.first_within(term.package, term.states);
        const std::uint32_t position = solution_.trail_of(term.package)[nth];
        const std::uint32_t level = solution_.trail()[position].level;
        if (best == nullptr || position > result.position) {
            result.previous_level = std::max(result.previous_level, level_of_best);
            result.position = position;
            level_of_best = level;
            best = &term;
        } else {
            result.previous_level = std::max(result.previous_level, level);
        }
    }
    const Assignment& satisfier = solution_.trail()[result.position];
    result.previous_level =
        std::max(result.previous_level, own_earlier_level(satisfier, best->states));
    return result;
}

std::uint32_t Search::own_earlier_level(const Assignment& satisfier, const StateSet& states) const {
    if (satisfier.cause == no_clause) {
        return 0;
    }
    const StateSet own = ~*clauses_[satisfier.cause].content.term_of(satisfier.package);
    if (own.subset_of(states)) {
        return 0;
    }
    const std::size_t nth = solution_.first_within(satisfier.package, states, own);
    return solution_.trail()[solution_.trail_of(satisfier.package)[nth]].level;
}

std::vector<ClauseId> Search::refutation() const {
    std::vector<bool> seen(clauses_.size(), false);
    std::vector<ClauseId> todo{refuted_.value()};
    std::vector<ClauseId> facts;
    while (!todo.empty()) {
        const ClauseId id = todo.back();
        todo.pop_back();
        if (seen[id]) {
            continue;
        }
        seen[id] = true;
        if (const auto* learnt = std::get_if<Learnt>(&clauses_[id].content.cause)) {
            todo.insert(todo.end(), learnt->premises.begin(), learnt->premises.end());
        } else {
            facts.push_back(id);
        }
    }
    std::sort(facts.begin(), facts.end());
    return facts;
}

}  // namespace wheelforge::resolve
