// SPDX-License-Identifier: Apache-2.0
#include "engine/problem_rules.hpp"

#include <algorithm>

namespace wheelforge::engine {
namespace {

using resolve::Origin;

resolve::Coupling coupling_of(
    const config::CouplingRule& rule, const std::vector<pep::Requirement>& require, bool adds
) {
    resolve::Coupling coupling;
    coupling.when = rule.when;
    coupling.require = require;
    coupling.because = rule.because;
    coupling.origin = {Origin::Kind::coupling, rule.origin};
    coupling.adds = adds;
    return coupling;
}

bool mentions(const std::vector<resolve::Wanted>& lines, const std::string& name) {
    return std::any_of(lines.begin(), lines.end(), [&](const resolve::Wanted& line) {
        return line.requirement.name == name;
    });
}

}  // namespace

void add_rules(const config::Settings& settings, bool is_build, resolve::Problem& problem) {
    for (const auto& [name, package] : settings.packages()) {
        const auto& rules = package.resolution;
        if (rules.override_version) {
            problem.overrides.insert_or_assign(
                name,
                resolve::Replacement(
                    rules.override_version->value,
                    {Origin::Kind::replacement, rules.override_version->origin}
                )
            );
        }
        if (config::value_or(rules.drop, false)) {
            problem.dropped.insert(name);
        }
        if (config::value_or(rules.pre_releases, false)) {
            problem.allow_prereleases.insert(name);
        }
    }
    for (const auto& rule : settings.couplings()) {
        if (!rule.require.empty()) {
            problem.couplings.push_back(coupling_of(rule, rule.require, !is_build));
        }
        if (!rule.constrain.empty()) {
            problem.couplings.push_back(coupling_of(rule, rule.constrain, false));
        }
    }
}

void match_runtime(
    const BootstrapRequest& request,
    const config::PackageSettings& built,
    const Solution& runtime,
    resolve::Problem& problem
) {
    const auto& names = built.resolution.match_runtime;
    if (!names) {
        return;
    }
    for (const auto& name : names->value) {
        const auto* pin = runtime ? runtime->find(name) : nullptr;
        const bool is_wanted =
            runtime ? pin != nullptr
                    : mentions(request.roots, name) || mentions(request.constraints, name);
        if (!is_wanted || name == built.name) {
            continue;
        }
        const Origin origin{
            Origin::Kind::locked, "match_runtime of " + built.name + " (" + names->origin + ")"
        };
        problem.roots.push_back({*pep::Requirement::parse(name), {Origin::Kind::build, origin.text}}
        );
        if (pin != nullptr) {
            problem.locked.insert_or_assign(name, std::pair(pin->version, origin));
        }
    }
}

}  // namespace wheelforge::engine
