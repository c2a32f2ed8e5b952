// SPDX-License-Identifier: Apache-2.0
// What any run over a request needs before it has a solution: indexes, store, facts about versions
// and sources, and a table of early builds for versions whose requirements nothing cheaper tells.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/failure.hpp"
#include "engine/jobs.hpp"
#include "engine/observer.hpp"
#include "engine/problem.hpp"
#include "engine/requirements.hpp"
#include "engine/scopes.hpp"

namespace wheelforge::engine {

/// PATH as builds see it; also where system tools are looked for.
inline constexpr const char* system_path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Of builds that only serve to learn requirements the steps are shown; what became of the package
/// is told when its turn comes.
class StepsOnly : public Observer {
public:
    explicit StepsOnly(Observer& whole) : whole_(whole) {}
    void step_started(const Job& job, std::string_view step) override {
        whole_.step_started(job, step);
    }
    void step_finished(const Job& job, const plugin::StepMeasure& measure, bool ok) override {
        whole_.step_finished(job, measure, ok);
    }
    void package_done(const Job& job, bool /*runtime*/) override { whole_.package_paused(job); }
    void package_paused(const Job& job) override { whole_.package_paused(job); }
    void notice(std::string_view line) override { whole_.notice(line); }

private:
    Observer& whole_;
};

/// Members are in the order in which they depend on each other. All but `stop_source` and `loop`
/// belong to the coordinator.
struct Session {
    /// @param preferences  versions that build scopes try first
    Session(const BootstrapRequest& wanted, Observer& watching, const Preferences& preferences);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    /// Downloads and builds that still run after an error are ended, not waited for.
    ~Session();

    /// Shows a line once.
    void notice(const std::string& line);
    /// Tells the observer that a run that builds begins, and with how much isolation.
    void tell_start();
    /// What Jobs need, for scopes that live as long.
    [[nodiscard]] Run run_with(Scopes& scopes);
    /// Whether settings leave out what others require of this name.
    [[nodiscard]] bool is_dropped(const std::string& name) const {
        return config::value_or(request.settings.package(name).resolution.drop, false);
    }
    /// With --backtrack-builds: the version is no candidate any more, and the user is told.
    void rule_out(const plugin::PackageId& id, const std::string& why);
    /// The conflict with its advice: what to relax, names that are near, wheels to take.
    [[nodiscard]] Failure no_solution(const resolve::Conflict& conflict) const;

    /// Why nobody can say what some version requires, when a run without --keep-going ends there.
    [[nodiscard]] std::optional<Failure> early_failure() const;

    const BootstrapRequest& request;
    Observer& observer;
    std::vector<std::string> notices;
    std::stop_source stop_source;  ///< the caller's wish, or the end of a run that cannot go on
    std::stop_token stop = stop_source.get_token();
    store::Store store;
    index::PackageIndex index;
    plugin::Registry recipes;
    plugin::Toolbox tools;
    std::vector<InstalledTool> installed;
    std::vector<std::string> host_inputs;
    Loop loop;
    Catalog catalog;
    Sources sources;
    Requirements requirements;
    Past past;  ///< set before the run starts; empty for a run without an output folder
    std::map<std::string, double> built_keys;
    Scopes early_scopes;  ///< for builds without which the runtime set cannot be known
    StepsOnly early_observer;
    Run early_run;
    Jobs early;
    bool may_build = true;  ///< to learn what a version requires
    Jobs* jobs = nullptr;   ///< the table of the run proper, once there is one
    // Last, so that they end first: what still runs after an error uses all of the above. The
    // pools ask the index, whose own workers answer to the catalog and the loop.
    struct FinishIndex {
        index::PackageIndex& index;
        ~FinishIndex() { index.finish(); }
    } finish_index{index};
    Pool fetchers;
    Pool builders;

private:
    void ask_backend(
        const plugin::PackageId& id, const std::function<void(resolve::Dependencies)>& ready
    );
};

}  // namespace wheelforge::engine
