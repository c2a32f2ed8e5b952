// SPDX-License-Identifier: Apache-2.0
// Every build environment a set of pins needs, down to the tools of the tools, solved without
// building anything. What a hook would ask for beyond [build-system] counts where an earlier build
// has told it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/session.hpp"

namespace wheelforge::engine {

/// How one distribution would come to be, and with what.
struct PlannedBuild {
    SourcePtr source;  ///< null for a wheel taken as it is
    Solution scope;    ///< null for a wheel, and while `conflict` or `failure` says why
    std::optional<resolve::Conflict> conflict;
    std::vector<std::string> dynamic{};  ///< what a hook asked for, as far as it is in the scope
    std::optional<Failure> failure;      ///< of the source: it cannot be had or read
    bool hook_asked = false;             ///< the backend's own wishes are in the scope
};

class BuildScopes {
public:
    /// References must outlive it. @param runtime  preferred by every scope; may be null
    BuildScopes(Session& session, Scopes& scopes, Solution runtime, Preferences preferences);
    /// On the coordinator; ends when the loop has nothing left to do.
    void want(const plugin::PackageId& id);
    [[nodiscard]] const std::map<plugin::PackageId, PlannedBuild>& all() const noexcept {
        return builds_;
    }
    /// Of a distribution whose scope has no solution.
    [[nodiscard]] UnsolvedScope unsolved(const PlannedBuild& build) const;
    /// Distributions whose scope takes a distribution in.
    [[nodiscard]] std::vector<plugin::PackageId> wheels_of(const PlannedBuild& build) const;
    /// A ring of distributions that need each other to be built, each once; empty if there is none.
    [[nodiscard]] std::vector<plugin::PackageId> ring() const;

private:
    void open_scope(const plugin::PackageId& id, std::vector<std::string> dynamic, bool asked);
    void scope_solved(const plugin::PackageId& id, const Scopes::Answer& answer, bool asked);

    Session& session_;
    Scopes& scopes_;
    Solution runtime_;
    Preferences preferences_;
    std::map<plugin::PackageId, PlannedBuild> builds_;
};

}  // namespace wheelforge::engine
