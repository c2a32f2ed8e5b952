// SPDX-License-Identifier: Apache-2.0
// A world of packages for the resolver.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resolve/solve.hpp"

namespace wheelforge::test {

[[nodiscard]] pep::Version version(std::string_view text);
[[nodiscard]] pep::Requirement requirement(std::string_view text);
[[nodiscard]] pep::Target target(std::string_view python = "3.12.1");

/// Packages and their versions; and what stands at URLs.
class Universe : public resolve::Answerer {
public:
    struct Release {
        resolve::Offer offer;
        resolve::Dependencies dependencies;
    };
    void add(const std::string& name, Release release);
    /// Shorthand: a usable version with these requirements.
    void
    add(const std::string& name,
        std::string_view version,
        const std::vector<std::string>& requirements = {});
    void add_url(const std::string& url, const std::string& name, Release release);

    std::vector<resolve::Offer> versions(const std::string& name, const std::string& url) override;
    resolve::Dependencies
    requirements(const std::string& name, const pep::Version& version) override;
    [[nodiscard]] const std::map<std::string, std::map<pep::Version, Release>>& packages() const {
        return packages_;
    }

private:
    std::map<std::string, std::map<pep::Version, Release>> packages_;
    std::map<std::string, std::pair<std::string, Release>> urls_;
};

}  // namespace wheelforge::test
