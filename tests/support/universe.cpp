// SPDX-License-Identifier: Apache-2.0
#include "support/universe.hpp"

namespace wheelforge::test {

pep::Version version(std::string_view text) {
    return pep::Version::parse(text).value();
}

pep::Requirement requirement(std::string_view text) {
    return pep::Requirement::parse(text).value();
}

pep::Target target(std::string_view python) {
    return pep::cpython_linux_target(version(python), "x86_64", 2, 36);
}

void Universe::add(const std::string& name, Release release) {
    packages_[name].insert_or_assign(release.offer.version, std::move(release));
}

void Universe::add(
    const std::string& name, std::string_view at, const std::vector<std::string>& requirements
) {
    Release release;
    release.offer.version = version(at);
    for (const std::string& text : requirements) {
        release.dependencies.requires_dist.push_back(requirement(text));
    }
    add(name, std::move(release));
}

void Universe::add_url(const std::string& url, const std::string& name, Release release) {
    urls_[url] = {name, std::move(release)};
}

std::vector<resolve::Offer> Universe::versions(const std::string& name, const std::string& url) {
    std::vector<resolve::Offer> offers;
    if (!url.empty()) {
        const auto found = urls_.find(url);
        if (found != urls_.end() && found->second.first == name) {
            offers.push_back(found->second.second.offer);
        }
        return offers;
    }
    for (const auto& [key, release] : packages_[name]) {
        offers.push_back(release.offer);
    }
    return offers;
}

resolve::Dependencies Universe::requirements(const std::string& name, const pep::Version& version) {
    for (const auto& [url, content] : urls_) {
        if (content.first == name && content.second.offer.version == version) {
            return content.second.dependencies;
        }
    }
    return packages_.at(name).at(version).dependencies;
}

}  // namespace wheelforge::test
