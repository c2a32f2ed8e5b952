// SPDX-License-Identifier: Apache-2.0
#include "resolve/resolver.hpp"

#include <algorithm>

#include "resolve/state.hpp"

namespace wheelforge::resolve {

const Pin* Resolution::find(std::string_view name) const noexcept {
    const auto found = std::lower_bound(
        pins.begin(),
        pins.end(),
        name,
        [](const Pin& pin, std::string_view wanted) { return pin.name < wanted; }
    );
    return found != pins.end() && found->name == name ? &*found : nullptr;
}

Resolver::Resolver(Problem problem) : state_(std::make_unique<State>(std::move(problem))) {}
Resolver::Resolver(Resolver&&) noexcept = default;
Resolver& Resolver::operator=(Resolver&&) noexcept = default;
Resolver::~Resolver() = default;

Step Resolver::next() {
    return state_->next();
}

void Resolver::answer_versions(
    const std::string& name, std::vector<Offer> offers, const std::string& url
) {
    state_->answers.versions(name, std::move(offers), url);
}

void Resolver::answer_requirements(
    const std::string& name, const pep::Version& version, Dependencies dependencies
) {
    state_->answers.requirements(name, version, std::move(dependencies));
}

const Problem& Resolver::problem() const noexcept {
    return state_->problem;
}

Statistics Resolver::statistics() const noexcept {
    return state_->statistics;
}

}  // namespace wheelforge::resolve
