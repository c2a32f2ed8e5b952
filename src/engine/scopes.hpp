// SPDX-License-Identifier: Apache-2.0
// Scopes: the runtime set and every build environment, each solved by its own Resolver, fed from
// the same facts. Equal build requirements share one solution.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/catalog.hpp"
#include "engine/job.hpp"
#include "engine/loop.hpp"
#include "engine/requirements.hpp"
#include "resolve/resolver.hpp"

namespace wheelforge::engine {

/// Solves one Problem; lives until it is answered.
class Scopes {
public:
    /// Either a solution or a conflict.
    using Answer = std::variant<Solution, resolve::Conflict>;
    using Done = std::function<void(const Answer&)>;

    Scopes(
        Loop& loop,
        Catalog& catalog,
        Requirements& requirements,
        const std::vector<InstalledTool>& tools
    );

    void solve_runtime(resolve::Problem problem, Done done);
    /// @param problem  roots are the build requirements
    void solve_build(resolve::Problem problem, Done done);
    /// What the runtime set could be made of: the versions of a project, or with a URL the one
    /// there.
    void ask_offers(
        const std::string& name,
        const std::string& url,
        const std::function<void(std::vector<resolve::Offer>)>& ready
    );
    /// The system tool that stands in for this pin, if it does.
    [[nodiscard]] const InstalledTool*
    tool_for(const std::string& name, const pep::Version& version) const;

private:
    struct Session;
    using SessionPtr = std::shared_ptr<Session>;
    void advance(const SessionPtr& session);
    void advance_soon(const SessionPtr& session);
    void ask_versions(const SessionPtr& session, const std::string& name, const std::string& url);
    void ask_requirements(
        const SessionPtr& session, const std::string& name, const pep::Version& version
    );
    void finish(const SessionPtr& session, Answer answer);

    Loop& loop_;
    Catalog& catalog_;
    Requirements& requirements_;
    const std::vector<InstalledTool>& tools_;
    std::map<std::string, SessionPtr> builds_;  ///< by requirement set
};

/// The requirements of a build scope and what it shares with the runtime set, as text: equal texts
/// have equal solutions.
[[nodiscard]] std::string scope_key(const resolve::Problem& problem);

/// Whether `solution` meets `requirement`, extras included.
[[nodiscard]] bool provides(
    const resolve::Resolution& solution,
    const pep::Requirement& requirement,
    const pep::Target& target
);

}  // namespace wheelforge::engine
