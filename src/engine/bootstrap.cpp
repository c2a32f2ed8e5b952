// SPDX-License-Identifier: Apache-2.0
#include "engine/bootstrap.hpp"

#include <algorithm>
#include <chrono>

#include "base/files.hpp"
#include "base/text.hpp"
#include "engine/build_scopes.hpp"
#include "engine/environment_report.hpp"
#include "engine/failure.hpp"
#include "engine/host.hpp"
#include "engine/jobs.hpp"
#include "engine/missing_tools.hpp"
#include "engine/output.hpp"
#include "engine/provided.hpp"
#include "engine/session.hpp"
#include "engine/smoke.hpp"
#include "engine/suggestions.hpp"
#include "pep/requirement_credentials.hpp"

namespace wheelforge::engine {
namespace {

/// Times the runtime set is solved again because sealed wheels contradict estimates.
constexpr int most_rounds = 10;
/// The same when versions are passed over because they cannot be built.
constexpr int most_backtracks = 200;

/// One run from start to report. Members are in the order in which they depend on each other.
class Bootstrap {
public:
    /// @param harvest  takes what was made instead of the output folder; may be null
    Bootstrap(const BootstrapRequest& request, Observer& observer, Harvest* harvest);
    Report run(const std::stop_token& stop);

private:
    void solve();
    void solved(const Scopes::Answer& answer);
    void solve_builds();
    [[nodiscard]] bool rule_out_unbuildable();
    void tell_conflict();
    void tick();
    bool round();
    void build_all();
    [[nodiscard]] Preferences build_preferences() const;
    void told_the_truth(const resolve::Pin& pin, const Job& job);
    [[nodiscard]] bool still_fits(const resolve::Pin& pin, const pep::Metadata& metadata) const;
    void say_what_is_dropped();
    void fetch_missing_sdists();
    void try_out_all();
    void write_output();
    void describe(Report& report) const;

    const BootstrapRequest& request_;
    Harvest* harvest_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    OutputTree output_;
    std::optional<Graph> last_graph_;
    std::unique_ptr<Scopes> scopes_;
    std::unique_ptr<Run> run_;
    std::unique_ptr<Jobs> jobs_;
    Session session_;  // after the table: its workers end before that goes
    Solution runtime_;
    std::unique_ptr<BuildScopes> builds_;  ///< with --backtrack-builds
    std::optional<resolve::Conflict> conflict_;
    std::vector<std::string> corrections_;  ///< what wheels required instead, a line each
    std::optional<Failure> failure_;
    bool solve_again_ = false;
};

std::string listed(const std::optional<resolve::Dependencies>& dependencies) {
    std::vector<std::string> texts;
    for (const auto& requirement : dependencies.value_or(resolve::Dependencies()).requires_dist) {
        texts.push_back(pep::without_credentials(requirement).text());
    }
    return texts.empty() ? "nothing" : join(texts, ", ");
}

std::set<std::string> provided_names(const BootstrapRequest& request) {
    std::set<std::string> names;
    for (const auto& [name, folder] : request.here.variant.provided) {
        if (!folder.empty()) {
            names.insert(name);
        }
    }
    return names;
}

Preferences last_preferences(const std::optional<Graph>& graph) {
    return graph ? graph->preferences() : Preferences();
}

Bootstrap::Bootstrap(const BootstrapRequest& request, Observer& observer, Harvest* harvest)
    : request_(request), harvest_(harvest),
      output_(request.output, request.here.variant.name, provided_names(request)),
      last_graph_(output_.last_graph()),
      session_(request, observer, last_preferences(last_graph_)) {
    session_.past = output_.past(last_graph_);
}

/// What the user names goes before what the output folder remembers.
Preferences Bootstrap::build_preferences() const {
    auto preferences = request_.previous;
    const auto last = last_preferences(last_graph_);
    preferences.insert(preferences.end(), last.begin(), last.end());
    return preferences;
}

/// Variables that would steer a compiler do not reach builds unasked; that is said once.
void Bootstrap::say_what_is_dropped() {
    std::vector<std::string> dropped;
    const auto paths = build::build_paths(request_.sandbox.level, session_.store.root());
    static_cast<void>(build::base_environment(
        request_.callers_environment, paths, request_.passed_variables, &dropped
    ));
    if (!dropped.empty()) {
        session_.notice(
            "not passed to builds: " + join(dropped, ", ") + " (--env NAME passes one)"
        );
    }
}

void Bootstrap::solve() {
    solve_again_ = false;
    session_.jobs = nullptr;  // those of the round before start nothing more
    scopes_ = std::make_unique<Scopes>(
        session_.loop, session_.catalog, session_.requirements, session_.installed
    );
    scopes_->solve_runtime(
        runtime_problem(request_, request_.previous),
        [this](const Scopes::Answer& answer) { solved(answer); }
    );
}

void Bootstrap::solved(const Scopes::Answer& answer) {
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        conflict_ = *conflict;
        return;
    }
    runtime_ = std::get<Solution>(answer);
    session_.observer.resolved("the runtime set", runtime_->pins.size());
    if (request_.backtrack_builds) {
        solve_builds();
    } else {
        build_all();
    }
}

/// With --backtrack-builds nothing is built before every build scope has a solution.
void Bootstrap::solve_builds() {
    builds_ = std::make_unique<BuildScopes>(session_, *scopes_, runtime_, build_preferences());
    for (const auto& pin : runtime_->pins) {
        builds_->want({pin.name, pin.version});
    }
}

/// Also of scopes that turned out to have no solution when a hook had spoken.
bool Bootstrap::rule_out_unbuildable() {
    bool any = false;
    if (builds_) {
        for (const auto& [id, build] : builds_->all()) {
            if (build.conflict) {
                session_.rule_out(id, build.conflict->prose);
                any = true;
            }
        }
    }
    if (jobs_ && request_.backtrack_builds) {
        for (const auto& [id, job] : jobs_->all()) {
            const auto* failed = std::get_if<Failed>(&job.state);
            if (failed != nullptr && failed->failure.id == "no-solution") {
                session_.rule_out(id, failed->failure.message);
                any = true;
            }
        }
    }
    return any;
}

/// With what sealed wheels said, when that is why there is no solution any more.
void Bootstrap::tell_conflict() {
    const auto problem = runtime_problem(request_, request_.previous);
    failure_ = session_.no_solution(*conflict_);
    for (const auto& line : corrections_) {
        failure_->message += "\n" + line;
    }
    for (auto& line : suggestions(session_, *scopes_, {problem, *conflict_})) {
        failure_->advice.push_back(std::move(line));
    }
}

void Bootstrap::build_all() {
    run_ = std::make_unique<Run>(session_.run_with(*scopes_));
    jobs_ = std::make_unique<Jobs>(*run_, runtime_, build_preferences());
    session_.jobs = jobs_.get();
    for (const auto& pin : runtime_->pins) {
        jobs_->want({pin.name, pin.version});
    }
    for (const auto& pin : runtime_->pins) {
        jobs_->when_finished({pin.name, pin.version}, [this, pin](const Job& job) {
            told_the_truth(pin, job);
        });
    }
}

bool Bootstrap::still_fits(const resolve::Pin& pin, const pep::Metadata& metadata) const {
    const auto& markers = request_.interpreter.target.markers;
    const auto applies = [&](const pep::Requirement& requirement) {
        if (!requirement.marker) {
            return true;
        }
        return requirement.marker->evaluate(markers)
               || std::any_of(pin.extras.begin(), pin.extras.end(), [&](const std::string& extra) {
                      return requirement.marker->evaluate(markers, extra);
                  });
    };
    const auto required = session_.requirements.required(pin.name, metadata.requires_dist);
    return std::all_of(required.begin(), required.end(), [&](const pep::Requirement& requirement) {
        if (!applies(requirement) || session_.is_dropped(requirement.name)) {
            return true;
        }
        auto bare = requirement;
        bare.marker.reset();
        return provides(*runtime_, bare, request_.interpreter.target);
    });
}

/// A sealed wheel outranks every estimate.
void Bootstrap::told_the_truth(const resolve::Pin& pin, const Job& job) {
    const auto* published = job.published();
    if (published == nullptr) {
        return;
    }
    output_.publish(job, true, session_.store.sources());
    const auto expected = session_.requirements.known(job.id);
    if (!session_.requirements.correct(job.id, published->metadata)) {
        return;
    }
    corrections_.push_back(
        job.id.text() + " turned out otherwise. expected: " + listed(expected)
        + "; its wheel: " + listed(session_.requirements.known(job.id))
    );
    if (still_fits(pin, published->metadata)) {
        session_.notice(
            "the wheel of " + job.id.text()
            + " requires something else than was expected; the pins satisfy it"
        );
        return;
    }
    session_.notice(
        "the wheel of " + job.id.text()
        + " requires something else than was expected; solving again"
    );
    solve_again_ = true;
    jobs_->drain();
}

/// sdists of reused wheels may never have been on this machine.
void Bootstrap::fetch_missing_sdists() {
    for (const auto& [id, job] : jobs_->all()) {
        const auto* published = job.published();
        if (published == nullptr || !published->source) {
            continue;
        }
        const auto& source = *published->source;
        const auto target = output_.variant_folder() / "sdists" / source.file.filename;
        if (!fs::exists(target)) {
            const auto archive =
                session_.recipes.recipe_for(id.name).source(id, source.file, session_.tools);
            publish_copy(archive.path, target);
        }
    }
}

/// Only now every wheel has those it needs beside it. What cannot be imported is set aside, and
/// whoever needs it is blocked.
void Bootstrap::try_out_all() {
    std::map<fs::path, plugin::PackageId> wheels;
    std::vector<fs::path> paths;
    for (const auto& pin : runtime_->pins) {
        const auto* job = jobs_->find({pin.name, pin.version});
        if (job == nullptr || job->published() == nullptr) {
            return;
        }
        paths.push_back(job->published()->entry.wheel);
        wheels.emplace(paths.back(), job->id);
    }
    std::vector<plugin::PackageId> unfit;
    for (auto& [path, findings] : try_out(request_, paths)) {
        const auto& id = wheels.at(path);
        output_.withdraw(*jobs_->find(id), true);
        jobs_->take_back(id, Failed{refusal_of(std::move(findings), "the wheel of " + id.text())});
        unfit.push_back(id);
    }
    while (!unfit.empty()) {
        const auto by = std::move(unfit.back());
        unfit.pop_back();
        for (const auto& pin : runtime_->pins) {
            const plugin::PackageId id{pin.name, pin.version};
            const bool needs =
                std::any_of(pin.requires_.begin(), pin.requires_.end(), [&](const auto& edge) {
                    return edge.to == by.name;
                });
            if (needs && jobs_->find(id)->published() != nullptr) {
                output_.withdraw(*jobs_->find(id), false);
                jobs_->take_back(id, Blocked{by});
                unfit.push_back(id);
            }
        }
    }
}

void Bootstrap::write_output() {
    std::set<plugin::PackageId> runtime;
    for (const auto& pin : runtime_->pins) {
        runtime.insert({pin.name, pin.version});
    }
    bool complete = true;
    for (const auto& [id, job] : jobs_->all()) {
        if (job.published() != nullptr) {
            output_.publish(job, runtime.contains(id), session_.store.sources());
        }
        complete = complete && (job.published() != nullptr || job.is_described());
    }
    if (!complete) {
        return;  // what an earlier complete run left stays
    }
    fetch_missing_sdists();
    write_file(output_.variant_folder() / "runtime-env.sh", runtime_environment(request_.here));
    auto fresh = make_graph(
        request_.here.variant.name, request_.interpreter.target, *runtime_, jobs_->all()
    );
    for (auto& [key, node] : fresh.nodes) {
        if (is_provided(request_, node.name)) {
            node.source_kind = "provided";
        }
    }
    if (harvest_ != nullptr) {
        auto& pins = harvest_->runtime.pins;
        pins.insert(pins.end(), runtime_->pins.begin(), runtime_->pins.end());
        harvest_->jobs.insert(jobs_->all().begin(), jobs_->all().end());
        unite(harvest_->graph, std::move(fresh));
        return;
    }
    output_.finish(*runtime_, jobs_->all(), last_graph_ ? merge(*last_graph_, fresh) : fresh);
}

void Bootstrap::describe(Report& report) const {
    report.variant = request_.here.variant.name;
    report.target = request_.interpreter.target;
    report.error = failure_;
    report.notices = session_.notices;
    if (failure_) {
        report.exit_code = worse(report.exit_code, failure_->code);
    }
    const auto add_all = [&](const Jobs& jobs) {
        for (const auto& [id, job] : jobs.all()) {
            if (job.is_described()) {
                continue;  // nothing was to be made of it
            }
            const bool runtime = runtime_ != nullptr && runtime_->find(id.name) != nullptr
                                 && runtime_->find(id.name)->version == id.version;
            auto row = row_of(job, runtime);
            row.wheel = output_.wheel_path(job, runtime);
            if (row.outcome == "pre_built" && is_provided(request_, id.name)) {
                row.outcome = "provided";
            }
            if (!row.log.empty()) {
                row.log = fs::path(row.log).lexically_relative(request_.output).string();
            }
            report.packages.push_back(std::move(row));
        }
        report.exit_code = worse(report.exit_code, jobs.exit_code());
    };
    if (jobs_) {
        add_all(*jobs_);
        report.missing_tools =
            missing_tools(jobs_->all(), request_.interpreter, system_path, [this](const auto& id) {
                const auto* offered = session_.catalog.find(id.name, id.version);
                return offered != nullptr && offered->wheels == Catalog::Wheels::for_any_platform;
            });
    } else {
        add_all(session_.early);
    }
    report.first_action = first_action(report);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Bootstrap::tick() {
    session_.early.schedule();
    if (jobs_) {
        jobs_->schedule();
    }
}

/// @returns whether something was learnt that asks for another one
bool Bootstrap::round() {
    const auto run_loop = [this] { session_.loop.run([this] { tick(); }); };
    conflict_.reset();
    builds_.reset();
    session_.loop.soon([this] { solve(); });
    run_loop();
    if (builds_ && !conflict_ && !session_.stop.stop_requested()) {
        if (rule_out_unbuildable()) {
            return true;
        }
        session_.loop.soon([this] { build_all(); });
        run_loop();
    }
    const bool again = rule_out_unbuildable() || solve_again_;
    return again && !session_.stop.stop_requested();
}

Report Bootstrap::run(const std::stop_token& stop) {
    session_.tell_start();
    const std::stop_callback end(stop, [this] {
        session_.stop_source.request_stop();
        session_.index.stop();
        session_.loop.post([] {});
    });
    say_what_is_dropped();
    Report report;
    try {
        const int rounds = request_.backtrack_builds ? most_backtracks : most_rounds;
        for (int number = 0; number < rounds && round(); ++number) {
        }
        if (conflict_) {
            tell_conflict();
        }
        if (jobs_ && !session_.stop.stop_requested()) {
            advise_on_scopes(session_, *scopes_, *jobs_);
        }
        if (jobs_ && !failure_ && !request_.plan_only) {
            if (request_.smoke && runtime_ && !session_.stop.stop_requested()) {
                try_out_all();
            }
            write_output();
        }
    } catch (...) {
        failure_ = failure_from(std::current_exception());
    }
    const bool cancelled = session_.stop.stop_requested();
    session_.stop_source.request_stop();  // builds that still run after an error are of no use
    describe(report);
    if (cancelled) {
        report.error.reset();  // what was given up for that reason did not go wrong
        report.exit_code = request_.stopped_by();
    }
    output_.write_report(report);
    session_.observer.run_finished(report.exit_code, report.counts());
    return report;
}

}  // namespace

Report bootstrap(const BootstrapRequest& request, Observer& observer, std::stop_token stop) {
    return Bootstrap(request, observer, nullptr).run(stop);
}

Report bootstrap(
    const BootstrapRequest& request, Observer& observer, std::stop_token stop, Harvest& harvest
) {
    return Bootstrap(request, observer, &harvest).run(stop);
}

}  // namespace wheelforge::engine
