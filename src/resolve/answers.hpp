// SPDX-License-Identifier: Apache-2.0
// What has been asked and what has been answered. Answers may lie here unused: the model takes
// them in at their canonical point only, so that timing never matters.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "resolve/problem.hpp"

namespace wheelforge::resolve {

/// The requirements of a version that hold for the target: of the version itself or of one extra.
struct ActiveRequirements {
    std::vector<const pep::Requirement*> requirements;  ///< in the order of the metadata
    std::optional<std::string> unreadable;              ///< why a marker has no value
};

class Answers {
public:
    explicit Answers(const Problem& problem) : problem_(&problem) {}

    /// Whether the question is new; it counts as asked from now on.
    bool ask_versions(const std::string& name);
    bool ask_requirements(const std::string& name, const pep::Version& version);
    /// From now on the name comes from this URL; what was known about it is void.
    void expect_url(const std::string& name, const std::string& url);
    [[nodiscard]] std::optional<std::string> url(const std::string& name) const;

    void versions(const std::string& name, std::vector<Offer> offers, const std::string& url);
    void
    requirements(const std::string& name, const pep::Version& version, Dependencies dependencies);
    [[nodiscard]] const std::vector<Offer>* versions_of(const std::string& name) const;
    [[nodiscard]] const Dependencies*
    requirements_of(const std::string& name, const pep::Version& version) const;
    /// The requirements must have been answered.
    [[nodiscard]] const ActiveRequirements&
    active(const std::string& name, const pep::Version& version, const std::string& extra);

private:
    struct Known {
        bool asked = false;
        std::optional<Dependencies> dependencies;
        std::map<std::string, ActiveRequirements> active;  ///< by extra
    };
    struct Versions {
        bool asked = false;
        bool stale = false;  ///< the index was asked, too, and will answer yet
        std::optional<std::string> url;
        std::optional<std::vector<Offer>> offers;
        std::map<pep::Version, Known> known;
    };
    [[nodiscard]] bool applies(const pep::Requirement& requirement, const std::string& extra) const;
    [[nodiscard]] ActiveRequirements
    evaluate(const Dependencies& dependencies, const std::string& extra) const;

    const Problem* problem_;
    std::map<std::string, Versions> packages_;
};

}  // namespace wheelforge::resolve
