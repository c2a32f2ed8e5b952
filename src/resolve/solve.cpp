// SPDX-License-Identifier: Apache-2.0
#include "resolve/solve.hpp"

namespace wheelforge::resolve {

namespace {

void answer(Resolver& resolver, const NeedVersions& question, Answerer& answerer) {
    for (const std::string& name : question.names) {
        const auto found = question.urls.find(name);
        const std::string url = found == question.urls.end() ? "" : found->second;
        resolver.answer_versions(name, answerer.versions(name, url), url);
    }
}

void answer(Resolver& resolver, const NeedRequirements& question, Answerer& answerer) {
    for (const auto& [name, version] : question.versions) {
        resolver.answer_requirements(name, version, answerer.requirements(name, version));
    }
}

}  // namespace

Outcome solve(Resolver& resolver, Answerer& answerer) {
    while (true) {
        Step step = resolver.next();
        if (auto* resolution = std::get_if<Resolution>(&step)) {
            return std::move(*resolution);
        }
        if (auto* conflict = std::get_if<Conflict>(&step)) {
            return std::move(*conflict);
        }
        if (const auto* names = std::get_if<NeedVersions>(&step)) {
            answer(resolver, *names, answerer);
        } else {
            answer(resolver, std::get<NeedRequirements>(step), answerer);
        }
    }
}

Outcome solve(const Problem& problem, Answerer& answerer) {
    Resolver resolver(problem);
    return solve(resolver, answerer);
}

}  // namespace wheelforge::resolve
