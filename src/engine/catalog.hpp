// SPDX-License-Identifier: Apache-2.0
// What the indexes offer for each project, asked once and judged for this run: which version has a
// file that may be used, and why the others may not.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "config/settings.hpp"
#include "engine/loop.hpp"
#include "engine/release_filter.hpp"
#include "index/index.hpp"
#include "plugin/direct_source.hpp"
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
    /// What the wheels that a project publishes of a version tell of its source.
    enum class Wheels {
        none,
        for_any_platform,  ///< one of them: nothing has to be compiled
        for_interpreters,  ///< all have the ABI of one, here too: it is compiled against Python.h
        mixed,
    };
    struct Version {
        resolve::Offer offer;
        std::optional<index::DistributionFile> file;   ///< the one that would be used
        std::optional<index::DistributionFile> wheel;  ///< for an estimate of its requirements
        Wheels wheels = Wheels::none;
        std::string direct_kind;   ///< of a direct reference: url, local, git; else ""
        std::string subdirectory;  ///< of a direct reference
    };
    using Versions = std::map<pep::Version, Version>;

    /// Fetches what a direct reference names. Called on a worker.
    using FetchDirect =
        std::function<plugin::DirectSource(const std::string& name, const std::string& url)>;

    /// References must outlive the catalog.
    Catalog(
        Loop& loop,
        index::PackageIndex& index,
        const config::Settings& settings,
        const ReleaseFilter& releases,
        const pep::Target& target
    );
    void set_direct(Pool& pool, FetchDirect fetch) {
        pool_ = &pool;
        fetch_direct_ = std::move(fetch);
    }

    /// Calls `ready` on the coordinator (perhaps at once) when the project is known. Throws what
    /// the index threw.
    using Ready = std::function<void()>;
    void want(const std::string& name, Ready ready);
    /// Whether want() was answered for the name.
    [[nodiscard]] bool knows(const std::string& name) const;
    /// The same for `name @ url`. Its version then stands for the index's of the same number.
    void want_direct(const std::string& name, const std::string& url, Ready ready);
    /// The one version found at `url`, after want_direct().
    [[nodiscard]] std::vector<resolve::Offer>
    direct_offers(const std::string& name, const std::string& url) const;
    /// Only after want() was answered.
    [[nodiscard]] const Versions& versions(const std::string& name) const;
    [[nodiscard]] std::vector<resolve::Offer> offers(const std::string& name) const;
    [[nodiscard]] const Version* find(const std::string& name, const pep::Version& version) const;
    /// From now on versions of a known project that have no sdist count with their wheels.
    void lend_wheels(const std::string& name);
    [[nodiscard]] bool lends_wheels(const std::string& name) const { return lent_.contains(name); }
    /// Offers one version that no index is asked for and that requires nothing.
    void provide(const std::string& name, const pep::Version& version);
    [[nodiscard]] bool is_provided(const std::string& name) const;
    /// Whether it is taken as a wheel, not built.
    [[nodiscard]] bool is_wheel(const plugin::PackageId& id) const;
    /// "sdist", "wheel", or of a direct reference "url", "local", "git".
    [[nodiscard]] static std::string source_kind(const Version& version);
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
    struct Direct {
        bool asked = false;
        std::exception_ptr failure;
        std::optional<Version> version;
        std::vector<Ready> waiting;
    };
    using DirectKey = std::pair<std::string, std::string>;  ///< name, URL
    void take_direct(const DirectKey& key, const plugin::DirectSource& found);

    Loop& loop_;
    index::PackageIndex& index_;
    const config::Settings& settings_;
    const ReleaseFilter& releases_;
    const pep::Target& target_;
    Pool* pool_ = nullptr;
    FetchDirect fetch_direct_;
    std::map<std::string, Project> projects_;
    std::set<std::string> lent_;
    std::map<DirectKey, Direct> directs_;
    std::map<plugin::PackageId, Version> direct_versions_;  ///< in place of the index's
};

}  // namespace wheelforge::engine
