// SPDX-License-Identifier: Apache-2.0
#include "engine/build_task.hpp"

#include <algorithm>
#include <chrono>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "bom/cyclonedx.hpp"
#include "build/diagnosis.hpp"
#include "engine/build_record.hpp"
#include "engine/failure.hpp"
#include "engine/host.hpp"
#include "engine/judgement.hpp"
#include "engine/reuse.hpp"
#include "engine/schedule.hpp"
#include "engine/scopes.hpp"
#include "wheel/seal.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::engine {
namespace {

Failure failure_of(const plugin::BuildFailure& failed, const BuildTask& task) {
    Failure failure;
    failure.id = failed.id;
    failure.message = failed.message;
    const auto tail = build::log_tail(task.log);
    failure.last_lines = build::last_lines(tail, 12);
    if (const auto diagnosis = build::diagnose(tail, failed.exit_code)) {
        failure.cause = diagnosis->cause + " [" + diagnosis->id + "]";
        failure.advice.push_back(diagnosis->advice);
    }
    return failure;
}

BuildDone reuse(Reuse found, const std::vector<std::string>& dynamic_requires) {
    BuildDone done;
    done.outcome = Outcome::reused;
    done.metadata = wheel::WheelFile(found.entry.wheel).metadata();
    done.entry = std::move(found.entry);
    done.drift = std::move(found.drift);
    done.dynamic_requires = dynamic_requires;
    return done;
}

bom::WheelBom bom_of(
    const BuildTask& task,
    const wheel::RawWheelFacts& raw,
    const std::string& build_key,
    std::int64_t timestamp
) {
    bom::WheelBom bom;
    bom.name = task.source->id.name;
    bom.version = raw.version.text();
    bom.license_expression = raw.metadata.license_expression;
    bom.license_text = raw.metadata.license;
    bom.description = raw.metadata.summary;
    bom.build_key = build_key;
    bom.timestamp = timestamp;
    bom.tool_version = WHEELFORGE_VERSION;
    bom.source = {task.source->id.name, task.source->id.version.text(), task.source->sha256};
    bom.source_url = without_credentials(task.source->file.url);
    for (const auto& wheel : task.environment) {
        const auto& others = task.judgement->variant.provided;
        const bool provided =
            std::find(others.begin(), others.end(), wheel.id.name) != others.end();
        bom.build_tools.push_back({wheel.id.name, wheel.id.version.text(), wheel.sha256, provided});
    }
    return bom;
}

/// Seals what the backend left, and publishes it under its build key.
BuildResult seal_and_publish(
    const BuildTask& task,
    plugin::RawWheel raw,
    const plugin::Toolbox& tools,
    const fs::path& folder
) {
    const auto started = std::chrono::steady_clock::now();
    const auto facts = wheel::examine(
        raw.path, task.source->id.name, task.source->id.version, &tools.interpreter.target
    );
    if (wheel::has_errors(facts.findings)) {
        return refusal_of(facts.findings, "the wheel that was built");
    }
    const auto inputs = build_inputs(task, raw.dynamic_requires);
    const auto key = inputs.key();
    const auto timestamp = source_date_epoch(task.source->facts->newest_mtime);
    const auto sbom = bom::cyclonedx_json(bom_of(task, facts, key, timestamp));
    const auto record = build_record_json(task, facts, inputs, tools, raw);
    wheel::SealRequest request;
    request.raw = raw.path;
    request.folder = folder;
    request.expected_name = task.source->id.name;
    request.expected_version = task.source->id.version;
    request.target = &tools.interpreter.target;
    request.build_tag = task.source->settings.build_tag(task.source->id.version);
    request.extra_files = {{"sboms/wheelforge.cdx.json", sbom}, {"wheelforge/build.json", record}};
    auto sealed = wheel::seal(request, facts);
    judge_built(task, raw, sealed);
    if (wheel::has_errors(sealed.findings)) {
        set_aside(task, sealed.path);
        return refusal_of(std::move(sealed.findings), "the wheel that was built");
    }
    plugin::StepMeasure measure;
    measure.step = "seal";
    measure.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    raw.steps.push_back(measure);
    BuildDone done;
    store::Store::Publication publication;
    publication.key = key;
    publication.inputs_text = inputs.text();
    publication.name = task.source->id.name;
    publication.version = sealed.version.text();
    publication.wheel = sealed.path;
    publication.sha256 = sealed.sha256;
    publication.payload = sealed.payload;
    publication.record_json = measured_record_json(task, record, sealed, raw.steps);
    publication.like = strong_inputs(task, raw.dynamic_requires).key();
    publication.sbom_json = sbom;
    done.entry = tools.store.publish(publication);
    remember_fit(task, done.entry, tools.store);
    remember_metadata(tools.store, task.source->plan_key, facts.metadata_text);
    done.metadata = std::move(sealed.metadata);
    done.findings = std::move(sealed.findings);
    done.steps = std::move(raw.steps);
    done.dynamic_requires = std::move(raw.dynamic_requires);
    return done;
}

using NoRequires = std::vector<std::string>;

/// Whether the environment has what the hook asked for.
bool are_provided(const BuildTask& task, const plugin::Toolbox& tools) {
    return std::all_of(
        task.dynamic_requires->begin(),
        task.dynamic_requires->end(),
        [&](const std::string& text) {
            const auto requirement = pep::Requirement::parse(text);
            return requirement && provides(*task.scope, *requirement, tools.interpreter.target);
        }
    );
}

/// Minutes before the compiler would say so, or a wheel would come out without its extension.
void require_headers(const BuildTask& task, const build::Interpreter& python) {
    if (!task.extends_python || python.has_headers) {
        return;
    }
    const auto version = "python" + python.target.markers.at("python_version");
    throw Error(
        ExitCode::usage,
        "python-headers-missing",
        "its C code needs Python.h, which is not in " + printable(python.include.string())
            + " (all wheels that its project publishes are compiled for one interpreter)"
    )
        .advise(
            "apt-get install " + version
            + "-dev, or dnf install python3-devel; or name a Python with its headers by --python"
        );
}

BuildResult build_here(
    const BuildTask& task,
    const plugin::Recipe& recipe,
    const plugin::Toolbox& tools,
    const std::stop_token& stop
);

/// In a tree of its own: what the hook left in the other one must not get into the wheel.
BuildResult build_without_metadata(
    BuildTask task,
    const plugin::BuildFailure& failed,
    const plugin::Recipe& recipe,
    const plugin::Toolbox& tools,
    const std::stop_token& stop
) {
    tools.notify(
        "what " + task.source->id.text() + " requires is taken from its wheel: " + failed.message
    );
    task.metadata_first = false;
    return build_here(task, recipe, tools, stop);
}

BuildResult build_here(
    const BuildTask& task,
    const plugin::Recipe& recipe,
    const plugin::Toolbox& tools,
    const std::stop_token& stop
) {
    require_headers(task, tools.interpreter);
    const auto scratch = tools.store.scratch();
    const auto archive = recipe.source(task.source->id, task.source->file, tools);
    const auto order = order_of(task, archive, tools, scratch.path());
    auto outcome = recipe.build(order, tools, stop);
    if (auto* failed = std::get_if<plugin::BuildFailure>(&outcome)) {
        if (failed->hook == plugin::metadata_hook && !failed->cancelled) {
            return build_without_metadata(task, *failed, recipe, tools, stop);
        }
        return failure_of(*failed, task);
    }
    if (auto* prepared = std::get_if<plugin::PreparedMetadata>(&outcome)) {
        const auto& key = task.source->plan_key;
        remember_dynamic_requires(tools.store, key, prepared->dynamic_requires);
        remember_prepared_metadata(tools.store, key, prepared->text);
        return std::move(*prepared);
    }
    if (auto* needs = std::get_if<plugin::NeedsRequirements>(&outcome)) {
        remember_dynamic_requires(tools.store, task.source->plan_key, needs->dynamic_requires);
        return std::move(*needs);
    }
    auto& raw = std::get<plugin::RawWheel>(outcome);
    remember_dynamic_requires(tools.store, task.source->plan_key, raw.dynamic_requires);
    return seal_and_publish(task, std::move(raw), tools, scratch.path() / "sealed");
}

/// The version of a toolchain of the environment is that of the distribution that brings it.
void tell_version(
    plugin::OwnToolchain& toolchain, const std::vector<EnvironmentWheel>& environment
) {
    for (const auto& name : toolchain.distributions) {
        const auto wheel =
            std::find_if(environment.begin(), environment.end(), [&](const auto& each) {
                return each.id.name == name;
            });
        if (wheel != environment.end()) {
            for (const auto& [known, value] : version_names(wheel->id.version)) {
                toolchain.values.emplace("@" + known + "@", value);
            }
            return;
        }
    }
}

}  // namespace

plugin::BuildOrder order_of(
    const BuildTask& task,
    const plugin::SourceArchive& archive,
    const plugin::Toolbox& tools,
    const fs::path& scratch
) {
    plugin::BuildOrder order;
    order.id = task.source->id;
    order.source = archive;
    order.facts = task.source->facts;
    order.settings = task.source->settings;
    order.variables = task.source->variables;
    order.added_files = task.source->supplement.files;
    for (const auto& wheel : task.environment) {
        order.environment.push_back({wheel.path, wheel.payload});
    }
    order.toolchain_path = task.source->environment.toolchain_path;
    order.toolchain_folders = task.source->environment.toolchain_folders;
    order.setup = task.source->environment.setup;
    order.own_toolchain = task.source->environment.own_toolchain;
    tell_version(order.own_toolchain, task.environment);
    order.known_requires = task.dynamic_requires;
    order.metadata_first = task.metadata_first;
    // With the answer it is decided whether a wheel is kept instead, before one is built.
    order.answer_first =
        !task.published.empty() || (task.rebuild == Rebuild::changelog && !task.last_key.empty());
    order.is_provided = [scope = task.scope, &tools](const pep::Requirement& requirement) {
        return provides(*scope, requirement, tools.interpreter.target);
    };
    order.cores = compile_jobs(task.source->settings, task.cores, available_memory());
    order.log = task.log;
    order.scratch = scratch;
    return order;
}

store::Inputs
build_inputs(const BuildTask& task, const std::vector<std::string>& dynamic_requires) {
    store::Inputs inputs;
    inputs.add("plan", "key", task.source->plan_key);
    inputs.add_all(task.source->plan_inputs);
    for (const auto& requirement : dynamic_requires) {
        inputs.add("build-requires-dynamic", "requirement", requirement);
    }
    for (const auto& wheel : task.environment) {
        inputs.add("environment", wheel.id.name, wheel.id.version.text() + " " + wheel.payload);
    }
    for (const auto& tool : task.tools) {
        inputs.add("system-tool", tool.name, tool.version.text());
    }
    for (const auto& line : task.host_inputs) {
        inputs.add("host", "fact", line);
    }
    return inputs;
}

BuildResult run_build(
    const BuildTask& task,
    const plugin::Recipe& recipe,
    const plugin::Toolbox& tools,
    std::stop_token stop
) {
    try {
        // Another process may be building just this. While the key is not known yet, the inputs
        // that are known stand for it: whoever comes second finds the hook's answer remembered.
        const auto known = build_inputs(task, task.dynamic_requires.value_or(NoRequires())).key();
        const auto lock = tools.store.lock(task.dynamic_requires ? known : sha256(known + " hook"));
        auto settled = task;
        if (!settled.dynamic_requires) {
            settled.dynamic_requires = recall_dynamic_requires(tools.store, task.source->plan_key);
            if (settled.dynamic_requires && !are_provided(settled, tools)) {
                return plugin::NeedsRequirements{*settled.dynamic_requires};
            }
        }
        if (settled.dynamic_requires) {
            if (auto found = find_reusable(settled, tools.store)) {
                if (auto refused = refuse_reuse(settled, found->entry, tools.store)) {
                    return std::move(*refused);
                }
                return reuse(std::move(*found), *settled.dynamic_requires);
            }
            const auto inputs = build_inputs(settled, *settled.dynamic_requires);
            if (auto refused = refuse_other_inputs(settled, inputs)) {
                return std::move(*refused);
            }
        }
        auto result = build_here(settled, recipe, tools, stop);
        if (const auto* done = std::get_if<BuildDone>(&result)) {
            settled.dynamic_requires = done->dynamic_requires;
            if (auto refused = refuse_other_bytes(settled, done->entry)) {
                return std::move(*refused);
            }
        }
        return result;
    } catch (const Error&) {
        return failure_from(std::current_exception());
    }
}

}  // namespace wheelforge::engine
