// SPDX-License-Identifier: Apache-2.0
#include "engine/build_scopes.hpp"

#include <algorithm>
#include <set>

namespace wheelforge::engine {
namespace {

/// Depth first, remembering the way; iterative, since chains of build tools may be long.
class RingSearch {
public:
    using Ids = std::vector<plugin::PackageId>;
    explicit RingSearch(const BuildScopes& scopes) : scopes_(scopes) {}

    Ids run() {
        for (const auto& [id, build] : scopes_.all()) {
            if (auto ring = from(id); !ring.empty()) {
                return ring;
            }
        }
        return {};
    }

private:
    struct Level {
        plugin::PackageId id;
        Ids next;
    };

    void enter(const plugin::PackageId& id) {
        const auto build = scopes_.all().find(id);
        way_.push_back({id, build == scopes_.all().end() ? Ids() : scopes_.wheels_of(build->second)}
        );
    }

    Ids from(const plugin::PackageId& start) {
        if (done_.contains(start)) {
            return {};
        }
        enter(start);
        while (!way_.empty()) {
            if (way_.back().next.empty()) {
                done_.insert(way_.back().id);
                way_.pop_back();
                continue;
            }
            const auto next = way_.back().next.back();
            way_.back().next.pop_back();
            const auto again = std::find_if(way_.begin(), way_.end(), [&](const Level& level) {
                return level.id == next;
            });
            if (again != way_.end()) {
                Ids ring;
                std::transform(again, way_.end(), std::back_inserter(ring), [](const Level& level) {
                    return level.id;
                });
                return ring;
            }
            if (!done_.contains(next)) {
                enter(next);
            }
        }
        return {};
    }

    const BuildScopes& scopes_;
    std::vector<Level> way_;
    std::set<plugin::PackageId> done_;
};

}  // namespace

BuildScopes::BuildScopes(
    Session& session, Scopes& scopes, Solution runtime, Preferences preferences
)
    : session_(session), scopes_(scopes), runtime_(std::move(runtime)),
      preferences_(std::move(preferences)) {}

void BuildScopes::want(const plugin::PackageId& id) {
    if (!builds_.try_emplace(id).second) {
        return;
    }
    if (session_.catalog.is_wheel(id)) {
        return;
    }
    session_.sources.want(
        id,
        [this, id](const SourcePtr& source, const std::exception_ptr& failure) {
            PlannedBuild& build = builds_.at(id);
            if (failure) {
                build.failure = failure_from(failure);
                return;
            }
            build.source = source;
            open_scope(id, {}, false);
        }
    );
}

void BuildScopes::open_scope(
    const plugin::PackageId& id, std::vector<std::string> dynamic, bool asked
) {
    PlannedBuild& build = builds_.at(id);
    build.dynamic = std::move(dynamic);
    const BuildScope scope{*build.source, build.dynamic, runtime_};
    scopes_.solve_build(
        build_problem(session_.request, scope, preferences_),
        [this, id, asked](const Scopes::Answer& answer) { scope_solved(id, answer, asked); }
    );
}

void BuildScopes::scope_solved(
    const plugin::PackageId& id, const Scopes::Answer& answer, bool asked
) {
    PlannedBuild& build = builds_.at(id);
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        build.conflict = *conflict;
        return;
    }
    const auto& scope = std::get<Solution>(answer);
    if (!asked) {
        auto known = recall_dynamic_requires(session_.store, build.source->plan_key);
        const bool enough =
            !known || std::all_of(known->begin(), known->end(), [&](const std::string& text) {
                const auto requirement = pep::Requirement::parse(text);
                return requirement
                       && provides(*scope, *requirement, session_.request.interpreter.target);
            });
        if (!enough) {
            open_scope(id, std::move(*known), true);
            return;
        }
        asked = known.has_value();
    }
    build.hook_asked = asked;
    build.scope = scope;
    for (const auto& tool : wheels_of(build)) {
        want(tool);
    }
}

UnsolvedScope BuildScopes::unsolved(const PlannedBuild& build) const {
    const BuildScope scope{*build.source, build.dynamic, runtime_};
    return {build_problem(session_.request, scope, preferences_), build.conflict.value()};
}

std::vector<plugin::PackageId> BuildScopes::wheels_of(const PlannedBuild& build) const {
    std::vector<plugin::PackageId> ids;
    if (build.scope) {
        for (const auto& pin : build.scope->pins) {
            if (scopes_.tool_for(pin.name, pin.version) == nullptr) {
                ids.push_back({pin.name, pin.version});
            }
        }
    }
    return ids;
}

std::vector<plugin::PackageId> BuildScopes::ring() const {
    return RingSearch(*this).run();
}

}  // namespace wheelforge::engine
