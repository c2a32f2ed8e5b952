// SPDX-License-Identifier: Apache-2.0
// What jobs wait for: the wheels of their build scope. Rings are found here and told.
#include <algorithm>

#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/jobs.hpp"
#include "engine/program_rules.hpp"

namespace wheelforge::engine {

void Jobs::open_scope(Job& job, SourcePtr source, std::optional<std::vector<std::string>> dynamic) {
    for (const auto& text : dynamic.value_or(std::vector<std::string>())) {
        if (const auto parsed = pep::Requirement::parse(text); !parsed) {
            Failure failure;
            failure.id = "bad-hook-answer";
            failure.message = "get_requires_for_build_wheel asked for '" + printable(text)
                              + "', which is no requirement: " + parsed.error().message;
            finish(job, Failed{std::move(failure)});
            return;
        }
    }
    const BuildScope scope{
        *source, dynamic.value_or(std::vector<std::string>()), runtime_solution_
    };
    auto problem = build_problem(run_.request, scope, preferences_);
    job.state = Scoping{source, dynamic};
    run_.scopes.solve_build(
        std::move(problem),
        [this, id = job.id, source, dynamic](const Scopes::Answer& answer) {
            scope_solved(id, source, dynamic, answer);
        }
    );
}

void Jobs::scope_solved(
    const plugin::PackageId& id,
    const SourcePtr& source,
    const std::optional<std::vector<std::string>>& dynamic,
    const Scopes::Answer& answer
) {
    Job& job = jobs_.at(id);
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        auto failure = failure_of_conflict(*conflict);
        failure.advice.push_back(
            "constrain " + id.name
            + " to a version whose build requirements can be had (-c), or take "
            + "it as a wheel: --pre-built " + id.name
        );
        const BuildScope asked{
            *source, dynamic.value_or(std::vector<std::string>()), runtime_solution_
        };
        auto unsolved = std::make_shared<const UnsolvedScope>(
            UnsolvedScope{build_problem(run_.request, asked, preferences_), *conflict}
        );
        finish(job, Failed{std::move(failure), std::move(unsolved)});
        return;
    }
    const auto& scope = std::get<Solution>(answer);
    run_.observer.resolved("the build of " + id.text(), scope->pins.size());
    auto known = dynamic ? dynamic : recall_dynamic_requires(run_.tools.store, source->plan_key);
    const bool enough =
        !known || dynamic
        || std::all_of(known->begin(), known->end(), [&](const std::string& text) {
               const auto requirement = pep::Requirement::parse(text);
               return requirement
                      && provides(*scope, *requirement, run_.request.interpreter.target);
           });
    if (!enough) {
        open_scope(job, source, std::move(known));
        return;
    }
    if (auto unfit = unfit_programs(run_.request.here, *source, *scope, run_.scopes)) {
        finish(job, Failed{*std::move(unfit)});
        return;
    }
    Waiting waiting{source, std::move(known), scope, {}};
    wait_for(job, std::move(waiting));
}

std::vector<plugin::PackageId> Jobs::wheels_of(const resolve::Resolution& scope) const {
    std::vector<plugin::PackageId> ids;
    for (const auto& pin : scope.pins) {
        if (run_.scopes.tool_for(pin.name, pin.version) == nullptr) {
            ids.push_back({pin.name, pin.version});
        }
    }
    return ids;
}

void Jobs::wait_for(Job& job, Waiting waiting) {
    const auto needed = wheels_of(*waiting.scope);
    waiting.missing = {needed.begin(), needed.end()};
    job.state = waiting;
    for (const auto& id : needed) {
        if (id == job.id || !path(id, job.id).empty()) {
            refuse_cycle(job, id);
            return;
        }
    }
    for (const auto& id : needed) {
        const auto [position, fresh] = jobs_.try_emplace(id);
        position->second.wanted_by.insert(job.id);
        if (fresh) {
            position->second.id = id;
            start(position->second);
        } else {
            want_wheel(position->second);
        }
        if (job.is_finished()) {
            return;  // a ring was found further down
        }
    }
    check(job);
}

/// The jobs from `from` to `to` along what they wait for; empty if `from` does not wait for `to`.
std::vector<plugin::PackageId>
Jobs::path(const plugin::PackageId& from, const plugin::PackageId& to) const {
    std::map<plugin::PackageId, plugin::PackageId> reached_from;
    std::vector<plugin::PackageId> open = {from};
    while (!open.empty()) {
        const auto current = open.back();
        open.pop_back();
        const auto job = jobs_.find(current);
        const auto* waiting =
            job == jobs_.end() ? nullptr : std::get_if<Waiting>(&job->second.state);
        if (waiting == nullptr) {
            continue;
        }
        for (const auto& next : waiting->missing) {
            if (next == from || !reached_from.emplace(next, current).second) {
                continue;
            }
            if (next == to) {
                std::vector<plugin::PackageId> ring = {to};
                while (ring.back() != from) {
                    ring.push_back(reached_from.at(ring.back()));
                }
                std::reverse(ring.begin(), ring.end());
                return ring;
            }
            open.push_back(next);
        }
    }
    return {};
}

void Jobs::refuse_cycle(Job& job, const plugin::PackageId& through) {
    auto ring = path(through, job.id);
    if (ring.empty()) {
        ring = {job.id};
    }
    if (ring.size() > 1) {
        std::rotate(ring.begin(), ring.end() - 1, ring.end());  // this one first
    }
    finish(job, Failed{ring_failure(ring)});
}

void Jobs::check(Job& job) {
    auto* waiting = std::get_if<Waiting>(&job.state);
    if (waiting == nullptr) {
        return;
    }
    bool planned = false;
    for (auto next = waiting->missing.begin(); next != waiting->missing.end();) {
        const Job& needed = jobs_.at(*next);
        if (needed.published() != nullptr) {
            next = waiting->missing.erase(next);
            continue;
        }
        if (const auto* blocked = std::get_if<Blocked>(&needed.state)) {
            finish(job, Blocked{blocked->by});
            return;
        }
        if (std::holds_alternative<Failed>(needed.state)) {
            finish(job, Blocked{needed.id});
            return;
        }
        planned = planned || std::holds_alternative<Planned>(needed.state);
        ++next;
    }
    const bool all_there =
        std::all_of(waiting->missing.begin(), waiting->missing.end(), [&](const auto& id) {
            return jobs_.at(id).is_finished();
        });
    if (all_there && planned) {
        finish(job, Planned{waiting->source, waiting->scope});
    } else if (waiting->missing.empty()) {
        get_ready(job, *waiting);
    }
}

std::size_t Jobs::waiting_for(const plugin::PackageId& id) const {
    std::set<plugin::PackageId> seen;
    std::vector<plugin::PackageId> open = {id};
    while (!open.empty()) {
        const auto current = open.back();
        open.pop_back();
        for (const auto& next : jobs_.at(current).wanted_by) {
            if (!jobs_.at(next).is_finished() && seen.insert(next).second) {
                open.push_back(next);
            }
        }
    }
    return seen.size();
}

}  // namespace wheelforge::engine
