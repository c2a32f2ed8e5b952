// SPDX-License-Identifier: Apache-2.0
#include "engine/one_package.hpp"

#include <algorithm>
#include <chrono>

#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/jobs.hpp"
#include "engine/output.hpp"
#include "engine/session.hpp"
#include "engine/suggestions.hpp"

namespace wheelforge::engine {
namespace {

using Texts = std::vector<std::string>;

Preferences preferences_of(const std::optional<Graph>& graph) {
    return graph ? graph->preferences() : Preferences();
}

class OneRun {
public:
    OneRun(const BootstrapRequest& request, const OnePackage& package, Observer& observer)
        : request_(request), package_(package), output_(request.output, request.here.variant.name),
          last_graph_(output_.last_graph()),
          session_(request, observer, preferences_of(last_graph_)) {}

    Report build(const std::stop_token& stop);
    Entered enter(const Texts& argv, const std::stop_token& stop);

private:
    /// What a build is equipped with, as far as it is known.
    struct Equipment {
        SourcePtr source;
        Solution scope;
        std::optional<Texts> dynamic;
    };

    void start();
    void work();
    std::variant<Solution, resolve::Conflict> solve(resolve::Problem problem);
    void pick();
    void pick_by_runtime_set(const resolve::Conflict& conflict);
    void require_version();
    void make_jobs();
    [[nodiscard]] SourcePtr find_source();
    [[nodiscard]] Solution solve_scope(const SourcePtr& source, const Texts& dynamic);
    bool equip(const resolve::Resolution& scope);
    [[nodiscard]] bool provides_all(const resolve::Resolution& scope, const Texts& needs) const;
    [[nodiscard]] std::optional<Equipment> equipment();
    [[nodiscard]] Texts ask(const Equipment& equipment);
    [[nodiscard]] BuildTask task_of(const Equipment& equipment, const fs::path& log) const;
    [[nodiscard]] int run(const Equipment& equipment, const Texts& argv);
    template <typename Rest>
    Report reported(const std::stop_token& stop, Rest&& rest);
    [[nodiscard]] Report describe() const;

    const BootstrapRequest& request_;
    OnePackage package_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    OutputTree output_;
    std::optional<Graph> last_graph_;
    plugin::PackageId id_;
    std::unique_ptr<Scopes> scopes_;
    std::unique_ptr<Run> run_;
    std::unique_ptr<Jobs> jobs_;
    Session session_;  // after the table: its workers end before that goes
    Solution runtime_;
    std::optional<Failure> failure_;
};

/// Lets the loop do all there is to do.
void OneRun::work() {
    session_.loop.run([this] {
        session_.early.schedule();
        if (jobs_) {
            jobs_->schedule();
        }
    });
    if (session_.stop.stop_requested()) {
        throw Error(request_.stopped_by(), "interrupted", "stopped");
    }
}

void OneRun::start() {
    session_.past = output_.past(last_graph_);
    session_.tell_start();
    scopes_ = std::make_unique<Scopes>(
        session_.loop, session_.catalog, session_.requirements, session_.installed
    );
}

std::variant<Solution, resolve::Conflict> OneRun::solve(resolve::Problem problem) {
    std::optional<Scopes::Answer> answer;
    session_.loop.soon([&] {
        scopes_->solve_runtime(std::move(problem), [&](const Scopes::Answer& found) {
            answer = found;
        });
    });
    work();
    if (!answer) {
        throw error_of(session_.early_failure().value());
    }
    return *std::move(answer);
}

/// Without a runtime set only a version that was named can be built.
void OneRun::pick_by_runtime_set(const resolve::Conflict& conflict) {
    if (!package_.version) {
        throw error_of(session_.no_solution(conflict));
    }
    session_.notice("the runtime set has no solution; build requirements follow no pins");
}

void OneRun::pick() {
    const auto answer = solve(runtime_problem(request_, {}));
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        pick_by_runtime_set(*conflict);
    } else {
        runtime_ = std::get<Solution>(answer);
    }
    const auto* pin = runtime_ ? runtime_->find(package_.name) : nullptr;
    if (!package_.version && pin == nullptr) {
        throw Error(
            ExitCode::unsatisfiable,
            "not-in-the-set",
            package_.name + " is not in the runtime set, so it has no resolved version"
        )
            .advise("name the version: " + package_.name + "==VERSION");
    }
    id_ = {package_.name, package_.version ? *package_.version : pin->version};
    require_version();
}

/// The catalog must know the version; if there is none that can be used, the resolver says why.
void OneRun::require_version() {
    session_.loop.soon([this] { session_.catalog.want(id_.name, [] {}); });
    work();
    const auto* found = session_.catalog.find(id_.name, id_.version);
    if (found != nullptr && found->file) {
        return;
    }
    auto problem = runtime_problem(request_, {});
    problem.roots = {
        {pep::Requirement::parse(id_.key()).value(), {resolve::Origin::Kind::root, "command line"}}
    };
    const auto answer = solve(std::move(problem));
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        throw error_of(session_.no_solution(*conflict));
    }
    throw Error(ExitCode::unsatisfiable, "no-solution", "no sdist of " + id_.text() + " was found");
}

void OneRun::make_jobs() {
    run_ = std::make_unique<Run>(session_.run_with(*scopes_));
    jobs_ = std::make_unique<Jobs>(*run_, runtime_, preferences_of(last_graph_));
    session_.jobs = jobs_.get();
}

SourcePtr OneRun::find_source() {
    SourcePtr source;
    std::exception_ptr failure;
    session_.loop.soon([&] {
        session_.sources.want(id_, [&](const SourcePtr& found, const std::exception_ptr& thrown) {
            source = found;
            failure = thrown;
        });
    });
    work();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return source;
}

Solution OneRun::solve_scope(const SourcePtr& source, const Texts& dynamic) {
    std::optional<Scopes::Answer> answer;
    session_.loop.soon([&] {
        const BuildScope scope{*source, dynamic, runtime_};
        scopes_->solve_build(
            build_problem(request_, scope, preferences_of(last_graph_)),
            [&](const Scopes::Answer& found) { answer = found; }
        );
    });
    work();
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer.value())) {
        throw error_of(failure_of_conflict(*conflict));
    }
    return std::get<Solution>(*answer);
}

/// Builds or finds the wheels of a scope; false when one of them failed.
bool OneRun::equip(const resolve::Resolution& scope) {
    session_.loop.soon([&] {
        for (const auto& pin : scope.pins) {
            if (scopes_->tool_for(pin.name, pin.version) == nullptr) {
                jobs_->want({pin.name, pin.version});
            }
        }
    });
    work();
    return std::all_of(scope.pins.begin(), scope.pins.end(), [&](const resolve::Pin& pin) {
        const auto* job = jobs_->find({pin.name, pin.version});
        return job == nullptr || job->published() != nullptr;
    });
}

bool OneRun::provides_all(const resolve::Resolution& scope, const Texts& needs) const {
    return std::all_of(needs.begin(), needs.end(), [&](const std::string& text) {
        const auto requirement = pep::Requirement::parse(text);
        return requirement && provides(scope, *requirement, request_.interpreter.target);
    });
}

BuildTask OneRun::task_of(const Equipment& equipment, const fs::path& log) const {
    BuildTask task;
    task.source = equipment.source;
    task.scope = equipment.scope;
    task.dynamic_requires = equipment.dynamic;
    task.cores = request_.cores;
    task.log = log;
    for (const auto& pin : equipment.scope->pins) {
        if (const auto* job = jobs_->find({pin.name, pin.version})) {
            const auto& entry = job->published()->entry;
            task.environment.push_back(
                {job->id, entry.filename, entry.sha256, entry.payload, entry.wheel}
            );
        }
    }
    return task;
}

/// What the hook asks for. A hook that fails is no hindrance: perhaps it is why one wants in.
Texts OneRun::ask(const Equipment& equipment) {
    const auto scratch = session_.store.scratch();
    const auto& recipe = session_.recipes.recipe_for(id_.name);
    const auto archive = recipe.source(id_, equipment.source->file, session_.tools);
    const auto task = task_of(equipment, scratch.path() / "hooks.log");
    const auto answer = recipe.requirements(
        order_of(task, archive, session_.tools, scratch.path()), session_.tools, session_.stop
    );
    if (const auto* failed = std::get_if<plugin::BuildFailure>(&answer)) {
        session_.notice("only what [build-system] requires is there: " + failed->message);
        return {};
    }
    auto needs = std::get<plugin::NeedsRequirements>(answer).dynamic_requires;
    remember_dynamic_requires(session_.store, equipment.source->plan_key, needs);
    return needs;
}

/// As a build is equipped: what the hook asks for joins only where it is not met already. nullopt
/// when a build tool failed.
std::optional<OneRun::Equipment> OneRun::equipment() {
    Equipment equipment;
    equipment.source = find_source();
    const auto& source = equipment.source;
    equipment.scope = solve_scope(source, {});
    equipment.dynamic = recall_dynamic_requires(session_.store, source->plan_key);
    if (!equipment.dynamic) {
        if (!equip(*equipment.scope)) {
            return std::nullopt;
        }
        equipment.dynamic = ask(equipment);
    }
    if (!provides_all(*equipment.scope, *equipment.dynamic)) {
        equipment.scope = solve_scope(source, *equipment.dynamic);
    }
    return equip(*equipment.scope) ? std::optional(equipment) : std::nullopt;
}

int OneRun::run(const Equipment& equipment, const Texts& argv) {
    const auto scratch = session_.store.scratch();
    const auto& recipe = session_.recipes.recipe_for(id_.name);
    const auto archive = recipe.source(id_, equipment.source->file, session_.tools);
    const auto task = task_of(equipment, {});
    session_.notice("in the build of " + id_.text() + "; what is changed there is thrown away");
    return recipe.enter(
        order_of(task, archive, session_.tools, scratch.path()), session_.tools, argv, session_.stop
    );
}

Report OneRun::describe() const {
    Report report;
    report.variant = request_.here.variant.name;
    report.target = request_.interpreter.target;
    report.error = failure_;
    report.notices = session_.notices;
    report.exit_code = failure_ ? failure_->code : ExitCode::ok;
    const auto& jobs = jobs_ ? *jobs_ : session_.early;
    for (const auto& [id, job] : jobs.all()) {
        auto row = row_of(job, id == id_);
        row.wheel = id == id_ ? output_.wheel_path(job, true) : std::string();
        if (!row.log.empty()) {
            row.log = fs::path(row.log).lexically_relative(request_.output).string();
        }
        report.packages.push_back(std::move(row));
    }
    report.exit_code = worse(report.exit_code, jobs.exit_code());
    report.first_action = first_action(report);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return report;
}

template <typename Rest>
Report OneRun::reported(const std::stop_token& stop, Rest&& rest) {
    const std::stop_callback end(stop, [this] {
        session_.stop_source.request_stop();
        session_.index.stop();
        session_.loop.post([] {});
    });
    try {
        start();
        pick();
        make_jobs();
        rest();
    } catch (...) {
        failure_ = failure_from(std::current_exception());
    }
    auto report = describe();
    if (session_.stop.stop_requested()) {
        report.error.reset();
        report.exit_code = request_.stopped_by();
    }
    session_.stop_source.request_stop();
    session_.observer.run_finished(report.exit_code, report.counts());
    return report;
}

Report OneRun::build(const std::stop_token& stop) {
    auto report = reported(stop, [this] {
        session_.loop.soon([this] { jobs_->want(id_); });
        work();
        advise_on_scopes(session_, *scopes_, *jobs_);
        if (const auto* job = jobs_->find(id_); job != nullptr && job->published() != nullptr) {
            output_.publish(*job, true, session_.store.sources());
        }
    });
    output_.write_report(report);
    return report;
}

Entered OneRun::enter(const Texts& argv, const std::stop_token& stop) {
    Entered entered;
    entered.report = reported(stop, [&] {
        if (const auto equipped = equipment()) {
            entered.exit_code = run(*equipped, argv);
        }
    });
    return entered;
}

}  // namespace

Report build_one(
    const BootstrapRequest& request,
    const OnePackage& package,
    Observer& observer,
    std::stop_token stop
) {
    return OneRun(request, package, observer).build(stop);
}

Entered enter_one(
    const BootstrapRequest& request,
    const OnePackage& package,
    const std::vector<std::string>& argv,
    Observer& observer,
    std::stop_token stop
) {
    return OneRun(request, package, observer).enter(argv, stop);
}

}  // namespace wheelforge::engine
