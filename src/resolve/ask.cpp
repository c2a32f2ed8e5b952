// SPDX-License-Identifier: Apache-2.0
// The part of the resolver that asks. Besides what is needed now it asks for what will be needed
// unless something else changes: the requirements of every wanted package's best candidate, and
// the names in those that are already known.
#include "resolve/state.hpp"

namespace wheelforge::resolve {

Step Resolver::State::ask() {
    std::vector<Candidate> candidates;
    for (const PackageId package : model->search().solution().undecided()) {
        candidates.push_back(candidate(package));
    }
    NeedVersions names;
    for (const std::string& name : waiting) {
        ask_name(name, names);
    }
    for (const Candidate& candidate : candidates) {
        ask_names_ahead(candidate, names);
    }
    NeedRequirements versions;
    for (const Candidate& candidate : candidates) {
        const std::string& name = name_of(candidate);
        if (names.names.empty() && answers.ask_requirements(name, version_of(candidate))) {
            versions.versions.emplace_back(name, version_of(candidate));
        }
    }
    return versions.versions.empty() ? Step(std::move(names)) : Step(std::move(versions));
}

void Resolver::State::ask_name(const std::string& name, NeedVersions& question) {
    if (!answers.ask_versions(name)) {
        return;
    }
    question.names.push_back(name);
    if (const std::optional<std::string> url = answers.url(name)) {
        question.urls[name] = *url;
    }
}

void Resolver::State::ask_names_ahead(const Candidate& candidate, NeedVersions& question) {
    const std::string& name = name_of(candidate);
    const pep::Version& version = version_of(candidate);
    if (answers.requirements_of(name, version) == nullptr) {
        return;
    }
    const std::string& extra = model->extra(candidate.first);
    for (const pep::Requirement* requirement : answers.active(name, version, extra).requirements) {
        // One that comes from a URL is asked for when it is certain which.
        if (!requirement->url) {
            ask_name(requirement->name, question);
        }
    }
}

}  // namespace wheelforge::resolve
