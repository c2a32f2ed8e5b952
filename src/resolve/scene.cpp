// SPDX-License-Identifier: Apache-2.0
#include "resolve/scene.hpp"

#include <algorithm>

namespace wheelforge::resolve {

Scene::Scene(const Model& model, const Core& core, const std::vector<Assumption>& assumptions)
    : model_(&model), core_(&core), search_(core.search()), assumptions_(assumptions) {
    violated_ = search_.propagate();
    for (std::size_t index = 0; index < assumptions_.size() && !violated_; ++index) {
        search_.decide(assumptions_[index].package, assumptions_[index].states);
        violated_ = search_.propagate();
    }
}

PackageId Scene::object_of(ClauseId clause) const {
    const Fact& said = *fact(clause);
    if (said.kind == Fact::Kind::same_version) {
        return said.object;  // made by this search, in its own numbers
    }
    for (const Term& term : search_.clause(clause).terms) {
        const PackageId package = core_->in_model(term.package);
        if (package == said.object && package != said.subject) {
            return term.package;
        }
    }
    return nobody;
}

StateSet Scene::known_before(PackageId package, std::uint32_t position) const {
    const PartialSolution& solution = search_.solution();
    StateSet known = StateSet::all(solution.known(package).offers());
    for (const std::uint32_t at : solution.trail_of(package)) {
        if (at < position) {
            known = solution.trail()[at].after;
        }
    }
    return known;
}

Scene::Step Scene::step(PackageId package, ClauseId clause, std::uint32_t position) const {
    Step result;
    result.clause = clause;
    result.package = package;
    result.position = position;
    if (clause != no_clause) {
        result.allowed = ~*search_.clause(clause).term_of(package);
        return result;
    }
    for (const Assumption& assumption : assumptions_) {
        if (assumption.package == package) {
            result.allowed = assumption.states;
        }
    }
    return result;
}

/// The fewest narrowings of the package before a position that put it in `states`; the later ones
/// are done without first.
std::vector<Scene::Step> Scene::steps_to(
    PackageId package, const StateSet& states, std::uint32_t before, std::optional<ClauseId> last
) const {
    const PartialSolution& solution = search_.solution();
    std::vector<Step> steps;
    for (const std::uint32_t position : solution.trail_of(package)) {
        if (position < before) {
            steps.push_back(step(package, solution.trail()[position].cause, position));
        }
    }
    StateSet outside = ~states;
    if (last) {
        steps.push_back(step(package, *last, before));
        outside &= steps.back().allowed;
    }
    const auto suffices_without = [&](std::size_t skipped) {
        StateSet rest = outside;
        for (std::size_t index = 0; index < steps.size(); ++index) {
            if (index != skipped) {
                rest &= steps[index].allowed;
            }
        }
        return rest.empty();
    };
    for (std::size_t count = steps.size() - (last ? 1 : 0); count > 0; --count) {
        if (suffices_without(count - 1)) {
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(count - 1));
        }
    }
    return steps;
}

}  // namespace wheelforge::resolve
