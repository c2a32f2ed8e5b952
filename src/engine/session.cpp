// SPDX-License-Identifier: Apache-2.0
#include "engine/session.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "engine/host.hpp"
#include "engine/known_names.hpp"

namespace wheelforge::engine {
namespace {

constexpr unsigned parallel_fetches = 16;

}  // namespace

Session::Session(const BootstrapRequest& wanted, Observer& watching, const Preferences& preferences)
    : request(wanted), observer(watching), store(wanted.cache), index(wanted.index),
      tools{
          index,
          store,
          wanted.interpreter,
          wanted.sandbox,
          wanted.callers_environment,
          wanted.passed_variables,
          wanted.index.offline
      },
      installed(find_installed_tools(wanted.settings.system_tools(), system_path)),
      host_inputs(
          engine::host_inputs(store, system_path, build::sandbox_class(wanted.sandbox.level))
      ),
      catalog(loop, index, wanted.settings, wanted.releases, wanted.interpreter.target),
      sources(loop, fetchers, catalog, wanted, tools, recipes),
      requirements(loop, index, catalog, wanted.settings, sources, store.sources()),
      early_scopes(loop, catalog, requirements, installed), early_observer(watching),
      early_run(run_with(early_scopes)), early(early_run, nullptr, preferences),
      fetchers(parallel_fetches), builders(wanted.cores) {
    requirements.set_last_resort([this](const auto& id, auto ready) { ask_backend(id, ready); });
    catalog.set_direct(fetchers, [this](const std::string& name, const std::string& url) {
        return plugin::fetch_direct(name, url, tools);
    });
    for (const auto& line : wanted.notices) {
        notice(line);
    }
    tools.notify = [this](const std::string& line) { loop.post([this, line] { notice(line); }); };
    store.on_notice(tools.notify);
}

Session::~Session() {
    stop_source.request_stop();
    index.stop();
}

Run Session::run_with(Scopes& scopes) {
    return {
        request,
        loop,
        fetchers,
        builders,
        index,
        catalog,
        sources,
        scopes,
        tools,
        recipes,
        &scopes == &early_scopes ? early_observer : observer,
        host_inputs,
        past,
        built_keys,
        stop
    };
}

void Session::tell_start() {
    observer.run_started(
        {request.here.variant.name,
         request.interpreter.target.python.text(),
         request.output.string(),
         request.cores}
    );
    if (!request.sandbox.reason.empty()) {
        notice("builds run with less isolation: " + request.sandbox.reason);
    }
}

void Session::notice(const std::string& line) {
    if (std::find(notices.begin(), notices.end(), line) == notices.end()) {
        notices.push_back(line);
        observer.notice(line);
    }
}

/// For want of any cheaper evidence the backend says what the version requires, by its metadata
/// hook or by the wheel that it builds.
void Session::ask_backend(
    const plugin::PackageId& id, const std::function<void(resolve::Dependencies)>& ready
) {
    if (!may_build || request.plan_only || request.interpreter.executable.empty()) {
        notice("what " + id.text() + " requires only its backend knows, which is not asked here");
        resolve::Dependencies unknown;
        unknown.exact = false;
        ready(unknown);
        return;
    }
    Jobs& table = jobs != nullptr ? *jobs : early;
    table.want_description(id);
    table.when_finished(id, [this, ready, id](const Job& job) {
        if (const auto* published = job.published()) {
            ready(dependencies_of(published->metadata, true));
            return;
        }
        if (const auto* described = std::get_if<Described>(&job.state)) {
            ready(dependencies_of(described->metadata, true));
            return;
        }
        const auto* failed = std::get_if<Failed>(&job.state);
        if (failed != nullptr && request.keep_going) {
            notice(
                "not considered: " + id.text()
                + ", whose requirements only its backend knows, and that failed: "
                + failed->failure.message + (job.log.empty() ? "" : "; log: " + job.log)
            );
        }
        resolve::Dependencies dependencies;
        dependencies.unavailable = "only its backend knows what it requires, and that failed";
        ready(std::move(dependencies));
    });
}

std::optional<Failure> Session::early_failure() const {
    for (const auto* table : {&early, static_cast<const Jobs*>(jobs)}) {
        if (table == nullptr) {
            continue;
        }
        for (const auto& [id, job] : table->all()) {
            if (const auto* failed = std::get_if<Failed>(&job.state)) {
                auto failure = failed->failure;
                failure.message = id.text() + ": " + failure.message;
                failure.advice.push_back(
                    "constrain what cannot be built to another version (-c), or take it as a "
                    "wheel: --pre-built "
                    + id.name
                );
                return failure;
            }
        }
    }
    return std::nullopt;
}

void Session::rule_out(const plugin::PackageId& id, const std::string& why) {
    const auto said = lines(why);
    notice(
        "passed over: " + id.text()
        + ", since its build has no solution: " + (said.empty() ? "" : std::string(said.back()))
    );
    requirements.rule_out(id, "its build has no solution");
}

Failure Session::no_solution(const resolve::Conflict& conflict) const {
    auto failure = failure_of_conflict(conflict);
    for (const auto& name : conflict.packages_without_versions) {
        const auto& versions = catalog.versions(name);
        if (versions.empty()) {
            failure.id = "unknown-package";
            if (request.here.variant.provided.contains(name)) {
                failure.advice.push_back(
                    name + " comes with the image of " + request.here.variant.name
                    + ": --host-environment VENV names the environment that has it"
                );
            }
            for (const auto& near : names_near(name, catalog, request, store)) {
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

}  // namespace wheelforge::engine
