// SPDX-License-Identifier: Apache-2.0
#include "engine/bootstrap.hpp"

#include <algorithm>
#include <chrono>

#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/host.hpp"
#include "engine/jobs.hpp"
#include "engine/missing_tools.hpp"
#include "engine/output.hpp"
#include "engine/problem.hpp"

namespace wheelforge::engine {
namespace {

/// PATH as builds see it; also where system tools are looked for.
constexpr const char* system_path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
/// Times the runtime set is solved again because sealed wheels contradict estimates.
constexpr int most_rounds = 10;
constexpr unsigned parallel_fetches = 16;

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
    void notice(std::string_view line) override { whole_.notice(line); }

private:
    Observer& whole_;
};

/// One run from start to report. Members are in the order in which they depend on each other.
class Bootstrap {
public:
    Bootstrap(const BootstrapRequest& request, Observer& observer);
    Report run(const std::stop_token& stop);

private:
    void solve();
    void solved(const Scopes::Answer& answer);
    void build_all();
    void told_the_truth(const resolve::Pin& pin, const Job& job);
    [[nodiscard]] bool still_fits(const resolve::Pin& pin, const pep::Metadata& metadata) const;
    void learn_by_building(
        const plugin::PackageId& id, const std::function<void(resolve::Dependencies)>& ready
    );
    void notice(const std::string& line);
    void say_what_is_dropped();
    void fetch_missing_sdists();
    void write_output();
    void describe(Report& report) const;
    [[nodiscard]] Failure no_solution(const resolve::Conflict& conflict) const;

    const BootstrapRequest& request_;
    Observer& observer_;
    std::stop_source stop_source_;  ///< the caller's wish, or the end of a run that cannot go on
    std::stop_token stop_ = stop_source_.get_token();
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    OutputTree output_;
    std::optional<Graph> last_graph_;
    store::Store store_;
    index::PackageIndex index_;
    plugin::Registry recipes_;
    plugin::Toolbox tools_;
    std::vector<InstalledTool> installed_;
    std::vector<std::string> host_inputs_;
    Loop loop_;
    Catalog catalog_;
    Pool fetchers_;
    Pool builders_;
    Sources sources_;
    Requirements requirements_;
    std::set<std::string> built_keys_;
    Scopes early_scopes_;  ///< for builds without which the runtime set cannot be known
    StepsOnly early_observer_;
    Run early_run_;
    Jobs early_;
    std::unique_ptr<Scopes> scopes_;
    std::unique_ptr<Run> run_;
    std::unique_ptr<Jobs> jobs_;
    Solution runtime_;
    std::vector<std::string> notices_;
    std::optional<Failure> failure_;
    bool solve_again_ = false;
};

Preferences last_preferences(const std::optional<Graph>& graph) {
    return graph ? graph->preferences() : Preferences();
}

Bootstrap::Bootstrap(const BootstrapRequest& request, Observer& observer)
    : request_(request), observer_(observer), output_(request.output, request.variant.name),
      last_graph_(output_.last_graph()), store_(request.cache), index_(request.index),
      tools_{
          index_,
          store_,
          request.interpreter,
          request.sandbox,
          request.callers_environment,
          request.passed_variables
      },
      installed_(find_installed_tools(request.settings.system_tools(), system_path)),
      host_inputs_(host_inputs(store_, system_path, build::sandbox_class(request.sandbox.level))),
      catalog_(loop_, index_, request.settings, request.interpreter.target),
      fetchers_(parallel_fetches), builders_(request.cores),
      sources_(
          loop_, fetchers_, catalog_, request.settings, tools_, recipes_, request.required_hashes
      ),
      requirements_(loop_, index_, catalog_, request.settings, sources_, store_.sources()),
      early_scopes_(loop_, catalog_, requirements_, installed_), early_observer_(observer),
      early_run_{
          request,
          loop_,
          fetchers_,
          builders_,
          index_,
          catalog_,
          sources_,
          early_scopes_,
          tools_,
          recipes_,
          early_observer_,
          host_inputs_,
          built_keys_,
          stop_
      },
      early_(early_run_, nullptr, last_preferences(last_graph_)) {
    requirements_.set_last_resort([this](const auto& id, auto ready) {
        learn_by_building(id, ready);
    });
    store_.on_notice([this](const std::string& line) { loop_.post([this, line] { notice(line); }); }
    );
}

void Bootstrap::notice(const std::string& line) {
    if (std::find(notices_.begin(), notices_.end(), line) == notices_.end()) {
        notices_.push_back(line);
        observer_.notice(line);
    }
}

/// Variables that would steer a compiler do not reach builds unasked; that is said once.
void Bootstrap::say_what_is_dropped() {
    std::vector<std::string> dropped;
    const auto paths = build::build_paths(request_.sandbox.level, store_.root());
    static_cast<void>(build::base_environment(
        request_.callers_environment, paths, request_.passed_variables, &dropped
    ));
    if (!dropped.empty()) {
        notice("not passed to builds: " + join(dropped, ", ") + " (--env NAME passes one)");
    }
}

/// For want of any cheaper evidence the version is built, and its wheel says what it requires.
void Bootstrap::learn_by_building(
    const plugin::PackageId& id, const std::function<void(resolve::Dependencies)>& ready
) {
    if (request_.plan_only) {
        notice("what " + id.text() + " requires is known only after building it");
        resolve::Dependencies unknown;
        unknown.exact = false;
        ready(unknown);
        return;
    }
    Jobs& jobs = jobs_ ? *jobs_ : early_;
    jobs.want(id);
    jobs.when_finished(id, [this, ready, id](const Job& job) {
        if (const auto* published = job.published()) {
            ready(dependencies_of(published->metadata, true));
            return;
        }
        if (const auto* failed = std::get_if<Failed>(&job.state)) {
            notice(
                "not considered: " + id.text()
                + ", whose requirements are known only after "
                  "building it, and that failed: "
                + failed->failure.message + (job.log.empty() ? "" : "; log: " + job.log)
            );
        }
        resolve::Dependencies dependencies;
        dependencies.unavailable =
            "its requirements are known only after building it, and that failed";
        ready(std::move(dependencies));
    });
}

void Bootstrap::solve() {
    solve_again_ = false;
    scopes_ = std::make_unique<Scopes>(loop_, catalog_, requirements_, installed_);
    scopes_->solve_runtime(runtime_problem(request_, {}), [this](const Scopes::Answer& answer) {
        solved(answer);
    });
}

void Bootstrap::solved(const Scopes::Answer& answer) {
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        failure_ = no_solution(*conflict);
        return;
    }
    runtime_ = std::get<Solution>(answer);
    observer_.resolved("the runtime set", runtime_->pins.size());
    build_all();
}

void Bootstrap::build_all() {
    run_ = std::make_unique<Run>(
        Run{request_,
            loop_,
            fetchers_,
            builders_,
            index_,
            catalog_,
            sources_,
            *scopes_,
            tools_,
            recipes_,
            observer_,
            host_inputs_,
            built_keys_,
            stop_}
    );
    jobs_ = std::make_unique<Jobs>(*run_, runtime_, last_preferences(last_graph_));
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
    return std::all_of(
        metadata.requires_dist.begin(),
        metadata.requires_dist.end(),
        [&](const pep::Requirement& requirement) {
            if (!applies(requirement)) {
                return true;
            }
            auto bare = requirement;
            bare.marker.reset();
            return provides(*runtime_, bare, request_.interpreter.target);
        }
    );
}

/// A sealed wheel outranks every estimate.
void Bootstrap::told_the_truth(const resolve::Pin& pin, const Job& job) {
    const auto* published = job.published();
    if (published == nullptr) {
        return;
    }
    output_.publish(job, true, store_.sources());
    if (!requirements_.correct(job.id, published->metadata)) {
        return;
    }
    if (still_fits(pin, published->metadata)) {
        notice(
            "the wheel of " + job.id.text()
            + " requires something else than was expected; the pins satisfy it"
        );
        return;
    }
    notice(
        "the wheel of " + job.id.text()
        + " requires something else than was expected; solving again"
    );
    solve_again_ = true;
    jobs_->drain();
}

Failure Bootstrap::no_solution(const resolve::Conflict& conflict) const {
    auto failure = failure_of_conflict(conflict);
    const auto known = catalog_.known_names();
    for (const auto& name : conflict.packages_without_versions) {
        const auto& versions = catalog_.versions(name);
        if (versions.empty()) {
            failure.id = "unknown-package";
            for (const auto& near : nearest(name, known)) {
                failure.advice.push_back("did you mean " + near + "?");
            }
            continue;
        }
        const bool only_wheels =
            std::any_of(versions.begin(), versions.end(), [](const auto& each) {
                return each.second.offer.unusable && !each.second.file && each.second.wheel;
            });
        if (only_wheels) {
            failure.id = "only-wheels";
            failure.advice.push_back(
                "take " + name + " as a wheel: --pre-built " + name
                + ", or pre_built: true in its settings"
            );
        }
    }
    return failure;
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
            const auto archive = recipes_.recipe_for(id.name).source(id, source.file, tools_);
            publish_copy(archive.path, target);
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
            output_.publish(job, runtime.contains(id), store_.sources());
        }
        complete = complete && job.published() != nullptr;
    }
    if (!complete) {
        return;  // what an earlier complete run left stays
    }
    fetch_missing_sdists();
    const auto fresh =
        make_graph(request_.variant.name, request_.interpreter.target, *runtime_, jobs_->all());
    output_.finish(*runtime_, jobs_->all(), last_graph_ ? merge(*last_graph_, fresh) : fresh);
}

void Bootstrap::describe(Report& report) const {
    report.variant = request_.variant.name;
    report.target = request_.interpreter.target;
    report.error = failure_;
    report.notices = notices_;
    if (failure_) {
        report.exit_code = worse(report.exit_code, failure_->code);
    }
    const auto add_all = [&](const Jobs& jobs) {
        for (const auto& [id, job] : jobs.all()) {
            const bool runtime = runtime_ != nullptr && runtime_->find(id.name) != nullptr
                                 && runtime_->find(id.name)->version == id.version;
            auto row = row_of(job, runtime);
            row.wheel = output_.wheel_path(job, runtime);
            if (!row.log.empty()) {
                row.log = fs::path(row.log).lexically_relative(request_.output).string();
            }
            report.packages.push_back(std::move(row));
        }
        report.exit_code = worse(report.exit_code, jobs.exit_code());
    };
    if (jobs_) {
        add_all(*jobs_);
        report.missing_tools = missing_tools(jobs_->all(), request_.interpreter, system_path);
    } else {
        add_all(early_);
    }
    report.first_action = first_action(report);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

Report Bootstrap::run(const std::stop_token& stop) {
    observer_.run_started(
        {request_.variant.name,
         request_.interpreter.target.python.text(),
         request_.output.string(),
         request_.cores}
    );
    if (!request_.sandbox.reason.empty()) {
        notice("builds run with less isolation: " + request_.sandbox.reason);
    }
    const std::stop_callback end(stop, [this] {
        stop_source_.request_stop();
        index_.stop();
        loop_.post([] {});
    });
    say_what_is_dropped();
    Report report;
    try {
        for (int round = 0; round < most_rounds; ++round) {
            loop_.soon([this] { solve(); });
            loop_.run([this] {
                early_.schedule();
                if (jobs_) {
                    jobs_->schedule();
                }
            });
            if (!solve_again_ || stop_.stop_requested() || failure_) {
                break;
            }
        }
        if (jobs_ && !failure_ && !request_.plan_only) {
            write_output();
        }
    } catch (...) {
        failure_ = failure_from(std::current_exception());
    }
    const bool cancelled = stop_.stop_requested();
    stop_source_.request_stop();  // builds that still run after an error are of no use
    describe(report);
    if (cancelled) {
        report.error.reset();  // what was given up for that reason did not go wrong
        report.exit_code = request_.stopped_by();
    }
    output_.write_report(report);
    observer_.run_finished(report.exit_code, report.counts());
    return report;
}

}  // namespace

Report bootstrap(const BootstrapRequest& request, Observer& observer, std::stop_token stop) {
    return Bootstrap(request, observer).run(stop);
}

}  // namespace wheelforge::engine
