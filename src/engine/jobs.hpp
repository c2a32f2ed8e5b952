// SPDX-License-Identifier: Apache-2.0
// The table of jobs of one session, and the only code that changes them. A job moves to the right
// whenever something it waited for is there; a failure blocks what waits for it.
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/build_task.hpp"
#include "engine/catalog.hpp"
#include "engine/job.hpp"
#include "engine/loop.hpp"
#include "engine/observer.hpp"
#include "engine/past.hpp"
#include "engine/problem.hpp"
#include "engine/request.hpp"
#include "engine/schedule.hpp"
#include "engine/scopes.hpp"
#include "engine/sources.hpp"

namespace wheelforge::engine {

/// What a run shares among its parts. References outlive every session.
struct Run {
    const BootstrapRequest& request;
    Loop& loop;
    Pool& fetchers;
    Pool& builders;
    index::PackageIndex& index;
    Catalog& catalog;
    Sources& sources;
    Scopes& scopes;
    const plugin::Toolbox& tools;
    const plugin::Registry& recipes;
    Observer& observer;
    const std::vector<std::string>& host_inputs;
    const Past& past;
    std::map<std::string, double>& built_keys;  ///< by this run, in any round: key -> seconds
    std::stop_token stop;
};

class Jobs {
public:
    /// @param runtime      null while the runtime set is not known
    /// @param preferences  versions build scopes try after those of the runtime set
    Jobs(Run& run, Solution runtime, Preferences preferences);

    /// Makes sure there is a job that makes a wheel; it starts at once.
    void want(const plugin::PackageId& id);
    /// The same, but what it requires is enough: it may end as Described. A later want() goes on
    /// from there.
    void want_description(const plugin::PackageId& id);
    /// `ready` is called when the job is finished, perhaps at once.
    void when_finished(const plugin::PackageId& id, std::function<void(const Job&)> ready);
    [[nodiscard]] const std::map<plugin::PackageId, Job>& all() const noexcept { return jobs_; }
    [[nodiscard]] const Job* find(const plugin::PackageId& id) const;
    /// Starts what may start. Called between the acts of the loop.
    void schedule();
    /// Adds to the advice of a job that failed, first.
    void advise(const plugin::PackageId& id, const std::vector<std::string>& lines);
    /// Starts nothing more; what runs may end.
    void drain() noexcept { draining_ = true; }
    [[nodiscard]] ExitCode exit_code() const;
    /// A wheel that was published turned out to be unfit, or to need one that is.
    void take_back(const plugin::PackageId& id, JobState state) {
        finish(jobs_.at(id), std::move(state));
    }

private:
    void start(Job& job);
    void want_wheel(Job& job);
    void fetch_prebuilt(Job& job);
    void open_scope(Job& job, SourcePtr source, std::optional<std::vector<std::string>> dynamic);
    void scope_solved(
        const plugin::PackageId& id,
        const SourcePtr& source,
        const std::optional<std::vector<std::string>>& dynamic,
        const Scopes::Answer& answer
    );
    void wait_for(Job& job, Waiting waiting);
    void check(Job& job);
    void get_ready(Job& job, const Waiting& waiting);
    [[nodiscard]] BuildTask task_of(const Job& job, const Ready& ready, unsigned cores) const;
    void start_build(Job& job, unsigned cores);
    void build_finished(const plugin::PackageId& id, BuildResult result);
    void described(Job& job, const Building& building, plugin::PreparedMetadata prepared);
    void finish(Job& job, JobState state);
    void refuse_cycle(Job& job, const plugin::PackageId& through);
    [[nodiscard]] std::vector<plugin::PackageId>
    path(const plugin::PackageId& from, const plugin::PackageId& to) const;
    [[nodiscard]] std::size_t waiting_for(const plugin::PackageId& id) const;
    [[nodiscard]] std::vector<plugin::PackageId> wheels_of(const resolve::Resolution& scope) const;

    Run& run_;
    Solution runtime_solution_;
    Preferences preferences_;
    std::map<plugin::PackageId, Job> jobs_;
    std::map<plugin::PackageId, std::vector<std::function<void(const Job&)>>> watchers_;
    std::set<plugin::PackageId> runtime_;  ///< members of the runtime set, for the observer
    Tokens free_;
    bool draining_ = false;  ///< something failed and --keep-going was not given
};

}  // namespace wheelforge::engine
