// SPDX-License-Identifier: Apache-2.0
#include "engine/check_scopes.hpp"

#include <algorithm>
#include <functional>

#include "engine/program_rules.hpp"

namespace wheelforge::engine {

ScopeSweep::ScopeSweep(Session& session, const BootstrapRequest& request)
    : session_(session), request_(request),
      scopes_(session.loop, session.catalog, session.requirements, session.installed) {}

void ScopeSweep::start() {
    scopes_.solve_runtime(runtime_problem(request_, {}), [this](const Scopes::Answer& answer) {
        if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
            dead_ends_.push_back({*conflict, runtime_problem(request_, {}), std::nullopt});
            return;
        }
        runtime_ = std::get<Solution>(answer);
        session_.observer.resolved("the runtime set", runtime_->pins.size());
        for (const auto& pin : runtime_->pins) {
            want({pin.name, pin.version});
        }
    });
}

void ScopeSweep::want(const plugin::PackageId& id) {
    if (session_.catalog.is_wheel(id)) {
        wheels_.insert(id);
        return;
    }
    if (!builds_.try_emplace(id).second) {
        return;
    }
    session_.sources.want(
        id,
        [this, id](const SourcePtr& source, const std::exception_ptr& failure) {
            if (!failure) {
                solve_build(id, source);
                return;
            }
            auto told = failure_from(failure);
            if (told.code == ExitCode::surroundings || told.code == ExitCode::bug) {
                std::rethrow_exception(failure);
            }
            bad_sources_.emplace(id, std::move(told));
        }
    );
}

resolve::Problem ScopeSweep::build_problem_of(const PreparedSource& source) const {
    const auto known = recall_dynamic_requires(session_.store, source.plan_key);
    const BuildScope scope{source, known.value_or(std::vector<std::string>()), runtime_};
    return build_problem(request_, scope, {});
}

void ScopeSweep::solve_build(const plugin::PackageId& id, const SourcePtr& source) {
    scopes_.solve_build(build_problem_of(*source), [this, id, source](const auto& answer) {
        const auto* solution = std::get_if<Solution>(&answer);
        auto unfit = solution == nullptr
                         ? std::nullopt
                         : unfit_programs(request_.here, *source, **solution, scopes_);
        if (unfit) {
            bad_sources_.emplace(id, *std::move(unfit));
        } else {
            solved_build(id, answer);
        }
    });
}

void ScopeSweep::solved_build(const plugin::PackageId& id, const Scopes::Answer& answer) {
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        dead_ends_.push_back({*conflict, build_problem_of(*session_.sources.find(id)), id});
        return;
    }
    std::vector<plugin::PackageId> needed;
    for (const auto& pin : std::get<Solution>(answer)->pins) {
        if (scopes_.tool_for(pin.name, pin.version) == nullptr) {
            needed.push_back({pin.name, pin.version});
        }
    }
    builds_[id] = needed;
    for (const auto& each : needed) {
        want(each);
    }
}

std::vector<plugin::PackageId> ScopeSweep::ring() const {
    std::map<plugin::PackageId, bool> finished;  // false: on the way
    std::vector<plugin::PackageId> way;
    const std::function<bool(const plugin::PackageId&)> closes = [&](const auto& id) {
        const auto seen = finished.find(id);
        if (seen != finished.end()) {
            if (!seen->second) {
                way.erase(way.begin(), std::find(way.begin(), way.end(), id));
            }
            return !seen->second;
        }
        finished[id] = false;
        way.push_back(id);
        const auto needed = builds_.find(id);
        if (needed != builds_.end()
            && std::any_of(needed->second.begin(), needed->second.end(), closes)) {
            return true;
        }
        finished[id] = true;
        way.pop_back();
        return false;
    };
    for (const auto& [id, needed] : builds_) {
        if (closes(id)) {
            return way;
        }
    }
    return {};
}

}  // namespace wheelforge::engine
