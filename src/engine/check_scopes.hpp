// SPDX-License-Identifier: Apache-2.0
// One pass over all scopes of a request without building: the runtime set, then the build scope of
// every sdist in it, and of every build tool, and so on. Internal to check.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/session.hpp"

namespace wheelforge::engine {

class ScopeSweep {
public:
    /// @param request  that of `session`
    ScopeSweep(Session& session, const BootstrapRequest& request);

    /// On the coordinator. Everything is known when the loop comes to rest.
    void start();

    struct DeadEnd {
        resolve::Conflict conflict;
        resolve::Problem problem;                ///< of which it is the conflict
        std::optional<plugin::PackageId> build;  ///< whose build scope; nullopt: the runtime set
    };
    [[nodiscard]] const std::vector<DeadEnd>& dead_ends() const noexcept { return dead_ends_; }
    /// The facts that all of it was solved with.
    [[nodiscard]] Scopes& scopes() noexcept { return scopes_; }
    /// Sources that cannot be used.
    [[nodiscard]] const std::map<plugin::PackageId, Failure>& bad_sources() const noexcept {
        return bad_sources_;
    }
    /// null without a solution.
    [[nodiscard]] const Solution& runtime() const noexcept { return runtime_; }
    /// What each build needs to be built first; system tools are not among it.
    [[nodiscard]] const std::map<plugin::PackageId, std::vector<plugin::PackageId>>&
    builds() const noexcept {
        return builds_;
    }
    /// Distributions that are taken as wheels.
    [[nodiscard]] const std::set<plugin::PackageId>& wheels() const noexcept { return wheels_; }
    /// A ring of packages that need each other to be built; empty if there is none.
    [[nodiscard]] std::vector<plugin::PackageId> ring() const;

private:
    void want(const plugin::PackageId& id);
    void solve_build(const plugin::PackageId& id, const SourcePtr& source);
    [[nodiscard]] resolve::Problem build_problem_of(const PreparedSource& source) const;
    void solved_build(const plugin::PackageId& id, const Scopes::Answer& answer);

    Session& session_;
    const BootstrapRequest& request_;
    Scopes scopes_;
    Solution runtime_;
    std::vector<DeadEnd> dead_ends_;
    std::map<plugin::PackageId, Failure> bad_sources_;
    std::map<plugin::PackageId, std::vector<plugin::PackageId>> builds_;
    std::set<plugin::PackageId> wheels_;
};

}  // namespace wheelforge::engine
