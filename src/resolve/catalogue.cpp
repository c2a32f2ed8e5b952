// SPDX-License-Identifier: Apache-2.0
#include "resolve/catalogue.hpp"

#include <algorithm>

namespace wheelforge::resolve {

namespace {

bool is_pin(const pep::Specifier& specifier) {
    using Operator = pep::Specifier::Operator;
    return specifier.op() == Operator::arbitrary
           || (specifier.op() == Operator::equal && !specifier.wildcard());
}

bool pinned_by(const std::vector<pep::Specifier>& specifiers, const pep::Version& version) {
    return std::any_of(specifiers.begin(), specifiers.end(), [&](const pep::Specifier& specifier) {
        return is_pin(specifier) && specifier.contains(version);
    });
}

/// One offer for a version; a usable one if there is a choice.
std::vector<Offer> sorted_offers(std::vector<Offer> offers) {
    std::stable_sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
        const auto order = a.version <=> b.version;
        return order != 0 ? order < 0 : !a.unusable.has_value() && b.unusable.has_value();
    });
    const auto same = [](const Offer& a, const Offer& b) { return a.version == b.version; };
    offers.erase(std::unique(offers.begin(), offers.end(), same), offers.end());
    return offers;
}

bool only_prereleases(const std::vector<Offer>& offers) {
    return std::none_of(offers.begin(), offers.end(), [](const Offer& offer) {
        return !offer.unusable && !offer.yanked && !offer.version.is_prerelease();
    });
}

}  // namespace

void Admission::add(const pep::SpecifierSet& specifier) {
    prereleases = prereleases || specifier.opts_into_prereleases();
    for (const pep::Specifier& one : specifier.specifiers()) {
        if (is_pin(one)) {
            pins.push_back(one);
        }
    }
}

Catalogue::Catalogue(
    std::string name,
    std::vector<Offer> offers,
    const Admission& admission,
    std::optional<std::string> url
)
    : name_(std::move(name)), offers_(sorted_offers(std::move(offers))), url_(std::move(url)),
      unusable_(StateSet::none(offers_.size())), yanked_(unusable_), prereleases_(unusable_) {
    const bool all_prereleases = admission.prereleases || only_prereleases(offers_);
    for (std::size_t index = 0; index < offers_.size(); ++index) {
        const Offer& offer = offers_[index];
        if (offer.unusable) {
            unusable_.add(index);
            continue;
        }
        if (offer.yanked && !url_ && !pinned_by(admission.pins, offer.version)) {
            yanked_.add(index);
        }
        if (offer.version.is_prerelease() && !url_ && !all_prereleases) {
            prereleases_.add(index);
        }
    }
}

std::optional<std::size_t> Catalogue::find(const pep::Version& version) const {
    const auto found = std::lower_bound(
        offers_.begin(),
        offers_.end(),
        version,
        [](const Offer& offer, const pep::Version& wanted) { return offer.version < wanted; }
    );
    if (found == offers_.end() || found->version != version) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - offers_.begin());
}

const StateSet& Catalogue::matching(const pep::SpecifierSet& specifier) {
    const auto [entry, added] = matching_.try_emplace(specifier.text());
    if (added) {
        entry->second = StateSet::none(size());
        for (std::size_t index = 0; index < size(); ++index) {
            if (specifier.contains(version(index))) {
                entry->second.add(index);
            }
        }
    }
    return entry->second;
}

StateSet Catalogue::withheld(const pep::SpecifierSet& specifier) {
    const StateSet& taken = matching(specifier);
    StateSet result = StateSet::none(size());
    for (const std::size_t offer : (taken & yanked_).present_offers()) {
        if (!pinned_by(specifier.specifiers(), version(offer))) {
            result.add(offer);
        }
    }
    return specifier.opts_into_prereleases() ? result : result | (taken & prereleases_);
}

}  // namespace wheelforge::resolve
