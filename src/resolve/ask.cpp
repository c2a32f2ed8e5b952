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
    // What is needed first: names if some wait to be taken in, else a version's requirements.
    NeedVersions names;
    for (const std::string& name : waiting) {
        ask_name(name, names);
    }
    if (names.names.empty()) {
        NeedRequirements versions = ask_versions_ahead(candidates);
        if (!versions.versions.empty()) {
            return versions;
        }
    }
    for (const Candidate& candidate : candidates) {
        ask_names_ahead(candidate, names);
    }
    return names;
}

NeedRequirements Resolver::State::ask_versions_ahead(const std::vector<Candidate>& candidates) {
    NeedRequirements question;
    for (const Candidate& candidate : candidates) {
        if (answers.ask_requirements(name_of(candidate), version_of(candidate))) {
            question.versions.emplace_back(name_of(candidate), version_of(candidate));
        }
    }
    return question;
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
