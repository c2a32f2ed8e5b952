// SPDX-License-Identifier: Apache-2.0
// The part of the resolver that decides: which version next, and what its requirements say.
#include <algorithm>

#include "resolve/state.hpp"

namespace wheelforge::resolve {

namespace {

/// So many versions of a package may fail against one earlier decision; then the package is
/// decided before that one. Otherwise a choice made too early would have us look at all versions
/// of the other package, one by one.
constexpr int patience = 8;

/// The level at which an incompatibility's other terms came to hold.
std::uint32_t level_of_rest(const Search& search, ClauseId clause, PackageId package) {
    const PartialSolution& solution = search.solution();
    std::uint32_t level = 0;
    for (const Term& term : search.clause(clause).terms) {
        if (term.package == package) {
            continue;
        }
        const std::size_t nth = solution.first_within(term.package, term.states);
        const std::uint32_t position = solution.trail_of(term.package)[nth];
        level = std::max(level, solution.trail()[position].level);
    }
    return level;
}

}  // namespace

Resolver::State::Candidate Resolver::State::candidate(PackageId package) const {
    const StateSet& known = model->search().solution().known(package);
    for (const auto& preferred : problem.preferences) {
        const auto found = preferred.find(model->name(package));
        if (found != preferred.end()) {
            const auto offer = model->catalogue(package).find(found->second);
            if (offer && known.has(*offer)) {
                return {package, *offer};
            }
        }
    }
    const bool lowest = problem.lowest || problem.lowest_of.contains(model->name(package));
    return {package, lowest ? known.lowest() : known.highest()};
}

std::optional<Step> Resolver::State::consider(const Candidate& candidate) {
    if (answers.requirements_of(name_of(candidate), version_of(candidate)) == nullptr) {
        return ask();
    }
    if (want_names_of(candidate)) {
        return std::nullopt;
    }
    if (!stated.contains(candidate)) {
        state_requirements(candidate);
        return std::nullopt;
    }
    const auto [package, offer] = candidate;
    ++statistics.decisions;
    model->search().decide(package, StateSet::only(model->catalogue(package).size(), offer));
    return std::nullopt;
}

/// True when something has to happen before the requirements can be stated.
bool Resolver::State::want_names_of(const Candidate& candidate) {
    const std::string& extra = model->extra(candidate.first);
    const ActiveRequirements& active =
        answers.active(name_of(candidate), version_of(candidate), extra);
    for (const pep::Requirement* requirement : active.requirements) {
        want_name(*requirement);
    }
    return restart || !waiting.empty();
}

std::optional<std::string> Resolver::State::flaw(const Candidate& candidate) {
    const std::string& name = name_of(candidate);
    const pep::Version& version = version_of(candidate);
    const Dependencies& known = *answers.requirements_of(name, version);
    if (known.unavailable) {
        return known.unavailable;
    }
    if (!known.requires_python.contains(problem.target.python)) {
        return "it requires Python " + known.requires_python.text() + ", not "
               + problem.target.python.text();
    }
    return answers.active(name, version, model->extra(candidate.first)).unreadable;
}

/// Says what the candidate requires. What follows from that may be that it is none.
void Resolver::State::state_requirements(const Candidate& candidate) {
    stated.insert(candidate);
    ++statistics.versions_looked_at;
    const auto [package, offer] = candidate;
    if (const std::optional<std::string> reason = flaw(candidate)) {
        model->rule_out(package, offer, *reason);
        return;
    }
    const Speaker speaker{package, offer, {}, Fact::no_line};
    const ActiveRequirements& active =
        answers.active(name_of(candidate), version_of(candidate), model->extra(package));
    std::optional<ClauseId> violated;
    for (const pep::Requirement* requirement : active.requirements) {
        for (const ClauseId clause : model->demand(speaker, *requirement)) {
            if (!violated && model->search().violated_by(clause, package, offer)) {
                violated = clause;
            }
        }
    }
    if (violated) {
        reject(candidate, *violated);
    }
}

void Resolver::State::reject(const Candidate& candidate, ClauseId why) {
    const PackageId package = candidate.first;
    Search& search = model->search();
    const std::uint32_t level = level_of_rest(search, why, package);
    if (level == 0) {
        return;
    }
    const PackageId culprit = search.solution().decided_on(level);
    if (++rejections[{package, culprit}] < patience || !promoted.insert(package).second) {
        return;
    }
    search.decide_before(package, level);
}

}  // namespace wheelforge::resolve
