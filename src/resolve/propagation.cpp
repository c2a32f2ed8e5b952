// SPDX-License-Identifier: Apache-2.0
// Unit propagation of Search.
#include "resolve/search.hpp"

namespace wheelforge::resolve {

std::optional<ClauseId> Search::propagate() {
    while (!unseen_.empty() || !changed_.empty()) {
        if (!unseen_.empty()) {
            const ClauseId clause = unseen_.front();
            if (!check(clause)) {
                return clause;
            }
            unseen_.pop_front();
            continue;
        }
        const PackageId package = changed_.front();
        changed_.pop_front();
        packages_[package].queued = false;
        if (const auto conflict = check_mentions(package)) {
            return conflict;
        }
    }
    return std::nullopt;
}

std::optional<ClauseId> Search::check_mentions(PackageId package) {
    if (packages_[package].base != nobody) {
        if (const auto conflict = check_same_version(package)) {
            return conflict;
        }
    }
    for (const PackageId extra : packages_[package].extras) {
        if (const auto conflict = check_same_version(extra)) {
            return conflict;
        }
    }
    for (const ClauseId clause : packages_[package].mentioned_in) {
        if (!check(clause)) {
            return clause;
        }
    }
    return std::nullopt;
}

// An incompatibility says nothing as long as one term is contradicted or two are open. Such terms
// move to the front, where the next look, which mostly finds the same, begins.
bool Search::check(ClauseId id) {
    std::vector<Term>& terms = clauses_[id].content.terms;
    std::size_t open = 0;
    for (std::size_t index = 0; index < terms.size(); ++index) {
        const Relation found = relation(solution_.known(terms[index].package), terms[index].states);
        if (found == Relation::satisfied) {
            continue;
        }
        std::swap(terms[index], terms[open]);
        if (found == Relation::contradicted || ++open == 2) {
            return true;
        }
    }
    if (open == 0) {
        return false;
    }
    derive(terms[0].package, ~terms[0].states, id);
    return true;
}

void Search::derive(PackageId package, const StateSet& states, ClauseId cause) {
    solution_.derive(package, states, cause);
    if (!packages_[package].queued) {
        packages_[package].queued = true;
        changed_.push_back(package);
    }
}

// name[extra] and name are at the same version. Saying so for every version would cost as many
// incompatibilities as there are versions; for any set S of versions "name[extra] in S and name
// not in S" cannot hold, so the one that is needed is made when it is needed.
std::optional<ClauseId> Search::check_same_version(PackageId extra) {
    const StateSet& base = solution_.known(packages_[extra].base);
    const StateSet& own = solution_.known(extra);
    const StateSet gone = StateSet::present(own.offers()) - base;
    if (!own.disjoint_from(gone)) {
        if (const auto conflict = apply_same_version(extra, gone)) {
            return conflict;
        }
    }
    const StateSet& narrowed = solution_.known(extra);
    if (!narrowed.has_absent() && !base.subset_of(narrowed)) {
        return apply_same_version(extra, narrowed);
    }
    return std::nullopt;
}

std::optional<ClauseId> Search::apply_same_version(PackageId extra, const StateSet& states) {
    const PackageId base = packages_[extra].base;
    Fact fact;
    fact.kind = Fact::Kind::same_version;
    fact.subject = extra;
    fact.object = base;
    const ClauseId id = store({{extra, states}, {base, ~states}}, std::move(fact));
    return check(id) ? std::nullopt : std::optional(id);
}

}  // namespace wheelforge::resolve
