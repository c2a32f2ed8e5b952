// SPDX-License-Identifier: Apache-2.0
#include "resolve/answers.hpp"

namespace wheelforge::resolve {

bool Answers::ask_versions(const std::string& name) {
    return !std::exchange(packages_[name].asked, true);
}

bool Answers::ask_requirements(const std::string& name, const pep::Version& version) {
    return !std::exchange(packages_[name].known[version].asked, true);
}

void Answers::expect_url(const std::string& name, const std::string& url) {
    Versions& package = packages_[name];
    Versions fresh;
    fresh.url = url;
    fresh.stale = package.asked && !package.offers;
    package = std::move(fresh);
}

std::optional<std::string> Answers::url(const std::string& name) const {
    const auto found = packages_.find(name);
    return found == packages_.end() ? std::nullopt : found->second.url;
}

void Answers::versions(const std::string& name, std::vector<Offer> offers, const std::string& url) {
    Versions& package = packages_[name];
    const bool from_there = package.url.value_or("") == url;
    if (!from_there && std::exchange(package.stale, false)) {
        return;
    }
    if (!package.offers) {
        package.offers = from_there ? std::move(offers) : std::vector<Offer>();
    }
}

void Answers::requirements(
    const std::string& name, const pep::Version& version, Dependencies dependencies
) {
    Known& known = packages_[name].known[version];
    if (!known.dependencies) {
        known.dependencies = std::move(dependencies);
    }
}

const std::vector<Offer>* Answers::versions_of(const std::string& name) const {
    const auto found = packages_.find(name);
    return found != packages_.end() && found->second.offers ? &*found->second.offers : nullptr;
}

const Dependencies*
Answers::requirements_of(const std::string& name, const pep::Version& version) const {
    const auto package = packages_.find(name);
    if (package == packages_.end()) {
        return nullptr;
    }
    const auto known = package->second.known.find(version);
    const bool there = known != package->second.known.end() && known->second.dependencies;
    return there ? &*known->second.dependencies : nullptr;
}

const ActiveRequirements&
Answers::active(const std::string& name, const pep::Version& version, const std::string& extra) {
    Known& known = packages_[name].known[version];
    const auto [entry, added] = known.active.try_emplace(extra);
    if (added) {
        entry->second = evaluate(known.dependencies.value(), extra);
    }
    return entry->second;
}

bool Answers::applies(const pep::Requirement& requirement, const std::string& extra) const {
    if (problem_->dropped.contains(requirement.name)) {
        return false;
    }
    if (!requirement.marker) {
        return extra.empty();
    }
    const pep::MarkerEnvironment& environment = problem_->target.markers;
    const bool without = requirement.marker->evaluate(environment);
    if (extra.empty()) {
        return without;
    }
    return !without && requirement.marker->evaluate(environment, extra);
}

ActiveRequirements
Answers::evaluate(const Dependencies& dependencies, const std::string& extra) const {
    ActiveRequirements result;
    try {
        for (const pep::Requirement& requirement : dependencies.requires_dist) {
            if (applies(requirement, extra)) {
                result.requirements.push_back(&requirement);
            }
        }
    } catch (const Error& error) {
        // A marker without meaning spoils this version, not the run.
        result.requirements.clear();
        result.unreadable = error.message();
    }
    return result;
}

}  // namespace wheelforge::resolve
