// SPDX-License-Identifier: Apache-2.0
#include "engine/jobs.hpp"

#include <algorithm>
#include <chrono>

#include "base/files.hpp"
#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/file_trust.hpp"
#include "engine/judgement.hpp"
#include "engine/missing_tools.hpp"
#include "engine/provided.hpp"
#include "engine/reuse.hpp"
#include "engine/session.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::engine {
namespace {

/// A pre-built wheel, taken as it is: hash-checked by the index, its structure checked here, and
/// whether it serves what this run builds for.
JobState open_prebuilt(
    const plugin::PackageId& id,
    const index::DistributionFile& file,
    const BootstrapRequest& request,
    const plugin::Toolbox& tools
) {
    const auto download = plugin::fetch(tools.index, file, tools.store.sources());
    check_trust(trust_in(request, id.name), file, download.sha256, tools, [&] {
        return download.path;
    });
    const wheel::WheelFile wheel(download.path);
    auto findings = wheel::check_structure(wheel);
    if (wheel.filename().name != id.name) {
        findings.push_back(
            {"name-mismatch",
             wheel::Level::error,
             "",
             "the file is of " + wheel.filename().name + ", not of " + id.name,
             ""}
        );
    }
    if (!wheel::has_errors(findings)) {
        const auto lacks =
            judge_prebuilt(request.judgement, id.name, download.path, download.sha256, tools.store);
        findings.insert(findings.end(), lacks.begin(), lacks.end());
    }
    if (wheel::has_errors(findings)) {
        return Failed{refusal_of(std::move(findings), "the pre-built wheel " + file.filename)};
    }
    Published published;
    published.outcome = Outcome::pre_built;
    published.entry.name = id.name;
    published.entry.version = id.version.text();
    published.entry.wheel = download.path;
    published.entry.filename = file.filename;
    published.entry.sha256 = download.sha256;
    published.entry.payload = wheel::payload_digest(wheel);
    published.metadata = wheel.metadata();
    published.findings = std::move(findings);
    return published;
}

/// What needs no build: a wheel of the store that will do, or a name that must keep its bytes.
std::optional<JobState> look_up(const BuildTask& task, const store::Store& store) {
    auto found = find_reusable(task, store);
    if (!found) {
        auto refused = refuse_other_inputs(task, build_inputs(task, *task.dynamic_requires));
        return refused ? std::optional<JobState>(Failed{std::move(*refused)}) : std::nullopt;
    }
    if (auto refused = refuse_reuse(task, found->entry, store)) {
        return Failed{std::move(*refused)};
    }
    Published published;
    published.outcome = Outcome::reused;
    published.metadata = wheel::WheelFile(found->entry.wheel).metadata();
    published.entry = std::move(found->entry);
    published.drift = std::move(found->drift);
    published.source = task.source;
    published.scope = task.scope;
    return published;
}

/// Another compiler makes another wheel, wherever it comes from.
bool brings_toolchain(const PreparedSource& source, const std::string& name) {
    const auto& distributions = source.environment.own_toolchain.distributions;
    return std::find(distributions.begin(), distributions.end(), name) != distributions.end();
}

/// Of its archive.
void tell_oddities(const plugin::Toolbox& tools, const PreparedSource& source) {
    for (const auto& notice : source.facts->notices) {
        tools.notify(source.id.text() + ": " + notice);
    }
}

/// Before minutes are spent, or a wheel comes out without its extension.
void tell_missing_tools(const plugin::Toolbox& tools, const BuildTask& task) {
    const auto& source = *task.source;
    if (task.pure_upstream) {
        return;  // its sources in C or Fortran are tests, examples or a choice
    }
    for (const auto& tool : tools_missing_for(source, tools.interpreter, system_path)) {
        const bool stops_the_build =
            tool.name == "cargo" || (tool.name == "Python.h" && task.extends_python);
        if (!stops_the_build) {
            tools.notify(
                source.id.text() + " has native code, and " + tool.name
                + " is missing, so it may fail, or come without its extension: " + tool.advice
            );
        }
    }
}

}  // namespace

std::string_view outcome_name(Outcome outcome) noexcept {
    switch (outcome) {
    case Outcome::built:
        return "built";
    case Outcome::reused:
        return "reused";
    case Outcome::pre_built:
        return "pre_built";
    }
    return "";
}

Jobs::Jobs(Run& run, Solution runtime, Preferences preferences)
    : run_(run), runtime_solution_(std::move(runtime)), preferences_(std::move(preferences)),
      free_{run.request.cores, run.request.memory_tokens, true} {
    if (runtime_solution_) {
        for (const auto& pin : runtime_solution_->pins) {
            runtime_.insert({pin.name, pin.version});
        }
    }
}

const Job* Jobs::find(const plugin::PackageId& id) const {
    const auto job = jobs_.find(id);
    return job == jobs_.end() ? nullptr : &job->second;
}

void Jobs::want(const plugin::PackageId& id) {
    const auto [position, fresh] = jobs_.try_emplace(id);
    if (fresh) {
        position->second.id = id;
        start(position->second);
    } else {
        want_wheel(position->second);
    }
}

void Jobs::want_description(const plugin::PackageId& id) {
    const auto [position, fresh] = jobs_.try_emplace(id);
    if (fresh) {
        position->second.id = id;
        position->second.to_describe = true;
        start(position->second);
    }
}

void Jobs::want_wheel(Job& job) {
    job.to_describe = false;
    if (const auto* described = std::get_if<Described>(&job.state)) {
        const Waiting waiting{described->source, described->dynamic_requires, described->scope, {}};
        job.state = waiting;
        get_ready(job, waiting);
    }
}

void Jobs::when_finished(const plugin::PackageId& id, std::function<void(const Job&)> ready) {
    const Job& job = jobs_.at(id);
    if (job.is_finished()) {
        ready(job);
    } else {
        watchers_[id].push_back(std::move(ready));
    }
}

void Jobs::start(Job& job) {
    if (run_.catalog.is_wheel(job.id)) {
        fetch_prebuilt(job);
        return;
    }
    run_.sources.want(
        job.id,
        [this, id = job.id](const SourcePtr& source, const std::exception_ptr& failure) {
            Job& found = jobs_.at(id);
            if (failure) {
                finish(found, Failed{failure_from(failure)});
            } else {
                open_scope(found, source, std::nullopt);
            }
        }
    );
}

void Jobs::fetch_prebuilt(Job& job) {
    if (run_.request.plan_only) {
        finish(job, Planned{});
        return;
    }
    const auto file = run_.catalog.find(job.id.name, job.id.version)->file.value();
    run_.loop.expect();
    run_.observer.step_started(job, "fetch");
    run_.fetchers.submit([this, id = job.id, file] {
        JobState state;
        try {
            state = open_prebuilt(id, file, run_.request, run_.tools);
        } catch (...) {
            state = Failed{failure_from(std::current_exception())};
        }
        run_.loop.answer([this, id, state = std::move(state)] { finish(jobs_.at(id), state); });
    });
}

BuildTask Jobs::task_of(const Job& job, const Ready& ready, unsigned cores) const {
    BuildTask task;
    task.source = ready.source;
    task.scope = ready.scope;
    task.dynamic_requires = ready.dynamic_requires;
    task.metadata_first = job.to_describe;
    task.host_inputs = run_.host_inputs;
    task.cores = cores;
    task.log = job.log;
    task.judgement = &run_.request.judgement;
    task.refused_folder = run_.request.output / run_.request.here.variant.name / "refused";
    const auto* offered = run_.catalog.find(job.id.name, job.id.version);
    task.compiled_upstream = offered != nullptr && offered->wheel
                             && std::none_of(
                                 offered->wheel->tags.begin(),
                                 offered->wheel->tags.end(),
                                 [](const auto& tag) { return tag.platform == "any"; }
                             );
    const auto wheels = offered != nullptr ? offered->wheels : Catalog::Wheels::none;
    task.extends_python =
        wheels == Catalog::Wheels::for_interpreters && compiles_against_python(*ready.source);
    task.pure_upstream = wheels == Catalog::Wheels::for_any_platform;
    for (const auto& pin : ready.scope->pins) {
        if (const auto* tool = run_.scopes.tool_for(pin.name, pin.version)) {
            task.tools.push_back(*tool);
            continue;
        }
        const auto& entry = jobs_.at({pin.name, pin.version}).published()->entry;
        task.environment.push_back(
            {{pin.name, pin.version},
             entry.filename,
             entry.sha256,
             entry.payload,
             entry.wheel,
             brings_toolchain(*ready.source, pin.name)
                 || (runtime_.contains({pin.name, pin.version})
                     && (!entry.filename.ends_with("-any.whl")
                         || is_provided(run_.request, pin.name)))}
        );
    }
    task.rebuild = run_.request.rebuild;
    const auto last = run_.past.keys.find(job.id.key());
    task.last_key = last == run_.past.keys.end() ? "" : last->second;
    const auto published = run_.past.wheels.find(job.id.key());
    if (published != run_.past.wheels.end() && !run_.request.replace_published
        && runtime_.contains(job.id) && !job.to_describe) {
        task.published = published->second;
    }
    return task;
}

void Jobs::get_ready(Job& job, const Waiting& waiting) {
    const Ready ready{waiting.source, waiting.dynamic_requires, waiting.scope};
    const auto folder = run_.request.output / run_.request.here.variant.name / "logs";
    job.log = (folder / (job.id.name + "-" + job.id.version.text() + ".log")).string();
    if (!ready.dynamic_requires) {
        job.state = ready;  // only the hook can say what the key will be
        return;
    }
    run_.loop.expect();
    run_.fetchers.submit([this, id = job.id, ready, task = task_of(job, ready, 1)] {
        std::optional<JobState> found;
        std::exception_ptr failure;
        try {
            found = look_up(task, run_.tools.store);
        } catch (...) {
            failure = std::current_exception();
        }
        run_.loop.answer([this, id, ready, found = std::move(found), failure] {
            Job& looked_up = jobs_.at(id);
            if (failure) {
                finish(looked_up, Failed{failure_from(failure)});
            } else if (found) {
                auto state = *found;
                auto* published = std::get_if<Published>(&state);
                const auto built = published == nullptr
                                       ? run_.built_keys.end()
                                       : run_.built_keys.find(published->entry.key);
                if (built != run_.built_keys.end()) {  // by an earlier round of this run
                    published->outcome = Outcome::built;
                    looked_up.seconds = built->second;
                }
                finish(looked_up, std::move(state));
            } else {
                looked_up.state = ready;
            }
        });
    });
}

void Jobs::schedule() {
    std::vector<ReadyBuild> ready;
    for (const auto& [id, job] : jobs_) {
        if (std::holds_alternative<Ready>(job.state)) {
            const auto settings = run_.request.settings.package(id.name);
            ready.push_back(
                {id, waiting_for(id), config::value_or(settings.build.exclusive_build, false)}
            );
        }
    }
    if (run_.request.plan_only) {
        for (const auto& each : ready) {
            Job& job = jobs_.at(each.id);
            const auto& state = std::get<Ready>(job.state);
            finish(job, Planned{state.source, state.scope});
        }
        return;
    }
    if (draining_ || run_.stop.stop_requested()) {
        return;
    }
    auto free = free_;
    free.idle = free.cpu == run_.request.cores;
    for (const auto& admission : admit(std::move(ready), free)) {
        start_build(jobs_.at(admission.id), admission.cores);
    }
}

void Jobs::start_build(Job& job, unsigned cores) {
    const auto ready = std::get<Ready>(job.state);
    auto task = task_of(job, ready, cores);
    job.state = Building{ready.source, ready.scope, cores};
    free_.cpu -= cores;
    free_.memory -= 1;
    run_.observer.step_started(job, job.to_describe ? "metadata" : "build");
    if (!job.to_describe) {
        tell_oddities(run_.tools, *ready.source);
        tell_missing_tools(run_.tools, task);
    }
    run_.loop.expect();
    run_.builders.submit([this, id = job.id, task = std::move(task)] {
        const auto started = std::chrono::steady_clock::now();
        std::optional<BuildResult> result;
        try {
            refuse_problems(task.source->environment, id.text());
            result = run_build(task, run_.recipes.recipe_for(id.name), run_.tools, run_.stop);
        } catch (...) {
            result = failure_from(std::current_exception());
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
        run_.loop.answer([this, id, took, result = std::move(*result)] {
            if (std::holds_alternative<Failure>(result)) {
                jobs_.at(id).seconds = took.count();  // no step says it
            }
            build_finished(id, result);
        });
    });
}

void Jobs::build_finished(const plugin::PackageId& id, BuildResult result) {
    Job& job = jobs_.at(id);
    const auto building = std::get<Building>(job.state);
    free_.cpu += building.cores;
    free_.memory += 1;
    if (auto* needs = std::get_if<plugin::NeedsRequirements>(&result)) {
        open_scope(job, building.source, std::move(needs->dynamic_requires));
        return;
    }
    if (auto* failure = std::get_if<Failure>(&result)) {
        finish(job, Failed{std::move(*failure)});
        return;
    }
    if (auto* prepared = std::get_if<plugin::PreparedMetadata>(&result)) {
        described(job, building, std::move(*prepared));
        return;
    }
    auto& done = std::get<BuildDone>(result);
    for (const auto& step : done.steps) {
        job.seconds += step.wall_seconds;
        run_.observer.step_finished(job, step, true);
    }
    if (done.outcome == Outcome::built) {
        run_.built_keys[done.entry.key] = job.seconds;
    } else if (const auto built = run_.built_keys.find(done.entry.key);
               built != run_.built_keys.end()) {
        done.outcome = Outcome::built;
        job.seconds = built->second;
    }
    finish(
        job,
        Published{
            done.outcome,
            std::move(done.entry),
            std::move(done.metadata),
            building.source,
            building.scope,
            std::move(done.findings),
            std::move(done.steps),
            std::move(done.drift)
        }
    );
}

/// Somebody may have come to want the wheel meanwhile.
void Jobs::described(Job& job, const Building& building, plugin::PreparedMetadata prepared) {
    for (const auto& step : prepared.steps) {
        run_.observer.step_finished(job, step, true);
    }
    if (job.to_describe) {
        auto requires_ = std::move(prepared.dynamic_requires);
        finish(
            job,
            Described{
                std::move(prepared.metadata), building.source, std::move(requires_), building.scope
            }
        );
    } else {
        const Waiting waiting{
            building.source, std::move(prepared.dynamic_requires), building.scope, {}
        };
        job.state = waiting;
        get_ready(job, waiting);
    }
}

void Jobs::finish(Job& job, JobState state) {
    const bool given_up = run_.stop.stop_requested() && std::holds_alternative<Failed>(state);
    job.state = given_up ? JobState(Cancelled{}) : std::move(state);
    if (std::holds_alternative<Failed>(job.state) && !run_.request.keep_going) {
        draining_ = true;
    }
    if (job.is_described()) {
        run_.observer.package_paused(job);
    } else {
        run_.observer.package_done(job, runtime_.contains(job.id));
    }
    for (const auto& id : std::set<plugin::PackageId>(job.wanted_by)) {
        check(jobs_.at(id));
    }
    for (auto& ready : std::exchange(watchers_[job.id], {})) {
        ready(job);
    }
}

void Jobs::advise(const plugin::PackageId& id, const std::vector<std::string>& lines) {
    auto& advice = std::get<Failed>(jobs_.at(id).state).failure.advice;
    advice.insert(advice.begin(), lines.begin(), lines.end());
}

ExitCode Jobs::exit_code() const {
    ExitCode code = ExitCode::ok;
    for (const auto& [id, job] : jobs_) {
        if (const auto* failed = std::get_if<Failed>(&job.state)) {
            code = worse(code, failed->failure.code);
        }
    }
    return code;
}

}  // namespace wheelforge::engine
