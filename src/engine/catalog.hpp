// SPDX-License-Identifier: Apache-2.0
// What the indexes offer for each project, asked once and judged for this run: which version has a
// file that may be used, and why the others may not.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "engine/loop.hpp"
#include "index/index.hpp"
#include "resolve/problem.hpp"

namespace wheelforge::engine {

/// A program of this machine that stands in for a distribution in build environments.
struct InstalledTool {
    std::string name;  ///< normalised distribution name, "cmake"
    pep::Version version;
    std::string program;  ///< "cmake"
};

class Catalog {
public:
    struct Version {
        resolve::Offer offer;
        std::optional<index::DistributionFile> file;   ///< the one that would be used
        std::optional<index::DistributionFile> wheel;  ///< for an estimate of its requirements
    };
    using Versions = std::map<pep::Version, Version>;

    /// References must outlive the catalog.
    Catalog(
        Loop& loop,
        index::PackageIndex& index,
        const config::Settings& settings,
        const pep::Target& target
    );

    /// Calls `ready` on the coordinator (perhaps at once) when the project is known. Throws what
    /// the index threw.
    using Ready = std::function<void()>;
    void want(const std::string& name, Ready ready);
    /// Whether want() was answered for the name.
    [[nodiscard]] bool knows(const std::string& name) const;
    /// Only after want() was answered.
    [[nodiscard]] const Versions& versions(const std::string& name) const;
    [[nodiscard]] std::vector<resolve::Offer> offers(const std::string& name) const;
    [[nodiscard]] const Version* find(const std::string& name, const pep::Version& version) const;
    /// Judges a known project anew, after its settings changed.
    void judge_again(const std::string& name);
    /// Offers one version that no index is asked for and that requires nothing.
    void provide(const std::string& name, const pep::Version& version);
    [[nodiscard]] bool is_provided(const std::string& name) const;
    /// Every project any index was asked for and knew.
    [[nodiscard]] std::vector<std::string> known_names() const;

private:
    struct Project {
        bool known = false;
        bool provided = false;
        std::exception_ptr failure;
        index::ProjectPage page;
        Versions versions;
        std::vector<Ready> waiting;
    };
    void judge(Project& project, const std::string& name) const;
    [[nodiscard]] Version judge_version(
        const pep::Version& version,
        const std::vector<const index::DistributionFile*>& files,
        const config::PackageSettings& settings
    ) const;

    Loop& loop_;
    index::PackageIndex& index_;
    const config::Settings& settings_;
    const pep::Target& target_;
    std::map<std::string, Project> projects_;
};

}  // namespace wheelforge::engine
