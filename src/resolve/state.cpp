// SPDX-License-Identifier: Apache-2.0
#include "resolve/state.hpp"

#include <algorithm>

#include "resolve/explain.hpp"
#include "resolve/line.hpp"

namespace wheelforge::resolve {

namespace {

/// Couplings as they apply to the target, one for each requirement: false markers drop out.
std::vector<Coupling> couplings_for(const Problem& problem) {
    const auto counts = [&problem](const pep::Requirement& requirement) {
        return applies({requirement, {}}, problem);
    };
    std::vector<Coupling> result;
    for (const Coupling& coupling : problem.couplings) {
        if (!std::all_of(coupling.when.begin(), coupling.when.end(), counts)) {
            continue;
        }
        for (const pep::Requirement& requirement : coupling.require) {
            if (counts(requirement)) {
                result.push_back(coupling);
                result.back().require = {requirement};
            }
        }
    }
    return result;
}

}  // namespace

Resolver::State::State(Problem problem_) : problem(std::move(problem_)), answers(problem) {
    problem.couplings = couplings_for(problem);
    for (const auto* lines : {&problem.roots, &problem.constraints}) {
        for (const Wanted& line : *lines) {
            const auto& url = line.requirement.url;
            if (url && applies(line, problem) && !answers.url(line.requirement.name)) {
                answers.expect_url(line.requirement.name, *url);
            }
        }
    }
    start();
}

void Resolver::State::start() {
    model.emplace(problem);
    waiting.clear();
    wanted.clear();
    roots_stated = false;
    restart = false;
    coupled.assign(problem.couplings.size(), false);
    stated.clear();
    rejections.clear();
    promoted.clear();
    for (const Wanted& root : problem.roots) {
        if (applies(root, problem)) {
            want_name(root.requirement);
        }
    }
}

void Resolver::State::want_name(const pep::Requirement& requirement) {
    const std::string& name = requirement.name;
    if (requirement.url && !answers.url(name) && !problem.overrides.contains(name)) {
        answers.expect_url(name, *requirement.url);
        // What has been concluded from the index's offers is void.
        restart = restart || model->knows(name);
    }
    if (wanted.insert(name).second) {
        waiting.push_back(name);
    }
}

Step Resolver::State::next() {
    if (!outcome) {
        Step step = advance();
        if (!std::holds_alternative<Resolution>(step) && !std::holds_alternative<Conflict>(step)) {
            return step;
        }
        outcome = std::move(step);
    }
    return *outcome;
}

Step Resolver::State::advance() {
    while (true) {
        if (restart) {
            ++statistics.restarts;
            start();
        }
        if (!introduce_names()) {
            return ask();
        }
        const std::size_t before = model->search().conflicts();
        const bool possible = model->search().settle();
        statistics.conflicts += model->search().conflicts() - before;
        if (!possible) {
            return explain(*model);
        }
        const std::optional<PackageId> package = model->search().solution().next_undecided();
        if (!package) {
            return resolution();
        }
        if (std::optional<Step> step = consider(candidate(*package))) {
            return *std::move(step);
        }
    }
}

bool Resolver::State::introduce_names() {
    do {
        while (!waiting.empty()) {
            if (answers.versions_of(waiting.front()) == nullptr) {
                return false;
            }
            introduce(waiting.front());
            waiting.pop_front();
        }
        state_roots();
    } while (state_couplings());
    return true;
}

void Resolver::State::introduce(const std::string& name) {
    model->introduce(name, *answers.versions_of(name), answers.url(name));
}

void Resolver::State::state_roots() {
    if (roots_stated) {
        return;
    }
    roots_stated = true;
    for (std::size_t line = 0; line < problem.roots.size(); ++line) {
        const Wanted& root = problem.roots[line];
        if (applies(root, problem)) {
            model->demand({nobody, 0, root.origin, line}, root.requirement);
        }
    }
}

/// True when names have to be taken in first.
bool Resolver::State::state_couplings() {
    for (std::size_t index = 0; index < problem.couplings.size(); ++index) {
        const Coupling& coupling = problem.couplings[index];
        if (coupled[index] || !model->may_apply(coupling) || !ready(coupling)) {
            continue;
        }
        if (!waiting.empty()) {
            return true;
        }
        model->couple(coupling);
        coupled[index] = true;
    }
    return false;
}

bool Resolver::State::ready(const Coupling& coupling) {
    for (const pep::Requirement& requirement : coupling.require) {
        if (coupling.adds) {
            want_name(requirement);
        } else if (!model->knows(requirement.name)) {
            return false;
        }
    }
    return true;
}

}  // namespace wheelforge::resolve
