// SPDX-License-Identifier: Apache-2.0
// What a version requires, by the cheapest way that can be trusted: memory of an earlier build,
// static metadata of the sdist, a published wheel's METADATA as an estimate, and only then the
// backend: its metadata hook, or a wheel that it builds.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/catalog.hpp"
#include "engine/loop.hpp"
#include "engine/sources.hpp"
#include "resolve/problem.hpp"

namespace wheelforge::engine {

class Requirements {
public:
    using Ready = std::function<void(const resolve::Dependencies&)>;
    /// Has the backend tell its metadata, for want of anything cheaper.
    using BuildForMetadata =
        std::function<void(const plugin::PackageId&, std::function<void(resolve::Dependencies)>)>;

    Requirements(
        Loop& loop,
        index::PackageIndex& index,
        const Catalog& catalog,
        const config::Settings& settings,
        Sources& sources,
        std::filesystem::path downloads
    );
    void set_last_resort(BuildForMetadata build) { build_ = std::move(build); }
    /// Asked about sources that cannot be had or read: true goes on with what a wheel of that
    /// version requires, else as if they required nothing.
    using ToleratesBadSource = std::function<bool(const std::exception_ptr&)>;
    void tolerate(ToleratesBadSource bad_source) { bad_source_ = std::move(bad_source); }

    void want(const plugin::PackageId& id, Ready ready);
    /// What was answered last; nullopt before there was an answer.
    [[nodiscard]] std::optional<resolve::Dependencies> known(const plugin::PackageId& id) const;
    /// From now on the version is no candidate, with this reason in the prose.
    void rule_out(const plugin::PackageId& id, std::string reason);
    /// A sealed wheel told the truth: later questions get it.
    /// @returns whether it differs from what was answered before
    bool correct(const plugin::PackageId& id, const pep::Metadata& metadata);
    /// What is required where metadata say `requires_dist`: settings may replace, remove and add.
    [[nodiscard]] std::vector<pep::Requirement>
    required(const std::string& name, std::vector<pep::Requirement> requires_dist) const;

private:
    struct Slot {
        std::optional<resolve::Dependencies> answer;
        bool asked = false;
        std::vector<Ready> waiting;
    };
    void ask(const plugin::PackageId& id);
    void ask_source(const plugin::PackageId& id, const SourcePtr& source);
    void ask_wheel(const plugin::PackageId& id, const index::DistributionFile& wheel, bool exact);
    void
    ask_whole_wheel(const plugin::PackageId& id, const index::DistributionFile& wheel, bool exact);
    void read_metadata(const plugin::PackageId& id, const std::string& text, bool exact);
    void answer(const plugin::PackageId& id, resolve::Dependencies dependencies);

    Loop& loop_;
    index::PackageIndex& index_;
    const Catalog& catalog_;
    const config::Settings& settings_;
    Sources& sources_;
    std::filesystem::path downloads_;
    BuildForMetadata build_;
    ToleratesBadSource bad_source_;
    std::map<plugin::PackageId, Slot> slots_;
};

[[nodiscard]] resolve::Dependencies dependencies_of(const pep::Metadata& metadata, bool exact);

}  // namespace wheelforge::engine
