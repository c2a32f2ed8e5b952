// SPDX-License-Identifier: Apache-2.0
#include "engine/problem.hpp"

#include "engine/problem_rules.hpp"

namespace wheelforge::engine {
namespace {

/// What holds for every scope.
resolve::Problem common_problem(const BootstrapRequest& request, bool is_build) {
    resolve::Problem problem;
    problem.constraints = request.constraints;
    problem.target = request.interpreter.target;
    add_rules(request.settings, is_build, problem);
    problem.lowest = request.strategy == Strategy::lowest;
    return problem;
}

void append(std::vector<resolve::Wanted>& lines, const std::vector<resolve::Wanted>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

}  // namespace

std::map<std::string, pep::Version> versions_of(const resolve::Resolution& resolution) {
    std::map<std::string, pep::Version> versions;
    for (const auto& pin : resolution.pins) {
        versions.emplace(pin.name, pin.version);
    }
    return versions;
}

resolve::Problem runtime_problem(const BootstrapRequest& request, const Preferences& preferences) {
    auto problem = common_problem(request, false);
    append(problem.constraints, request.runtime_constraints);
    problem.scope = "the runtime set";
    problem.roots = request.roots;
    problem.preferences = preferences;
    if (request.strategy == Strategy::lowest_direct) {
        for (const auto& root : request.roots) {
            problem.lowest_of.insert(root.requirement.name);
        }
    }
    if (request.allow_prereleases) {
        problem.allow_prereleases.insert(":all:");
    }
    return problem;
}

resolve::Problem build_problem(
    const BootstrapRequest& request, const BuildScope& scope, const Preferences& preferences
) {
    auto problem = common_problem(request, true);
    append(problem.constraints, request.build_constraints);
    append(problem.constraints, scope.source.build_constraints);
    problem.scope = "the build of " + scope.source.id.text();
    const auto add = [&](const pep::Requirement& requirement, const char* by) {
        problem.roots.push_back(
            {requirement, {resolve::Origin::Kind::build, problem.scope + " (" + by + ")"}}
        );
    };
    for (const auto& requirement : scope.source.build_requires) {
        add(requirement, "[build-system] requires");
    }
    for (const auto& text : scope.dynamic) {
        if (auto requirement = pep::Requirement::parse(text)) {
            add(*requirement, "get_requires_for_build_wheel");
        }
    }
    match_runtime(request, scope.source.settings, scope.runtime, problem);
    if (scope.runtime) {
        problem.preferences.push_back(versions_of(*scope.runtime));
    }
    problem.preferences.insert(problem.preferences.end(), preferences.begin(), preferences.end());
    return problem;
}

}  // namespace wheelforge::engine
