// SPDX-License-Identifier: Apache-2.0
#include "plugin/isolated_build.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "build/attached.hpp"
#include "build/pip_builder.hpp"
#include "pep/metadata.hpp"
#include "pep/name.hpp"
#include "plugin/environment_setup.hpp"

namespace wheelforge::plugin {
namespace {

using Clock = std::chrono::steady_clock;

/// What setuptools reads beside setup.cfg, by DIST_EXTRA_CONFIG.
constexpr const char* parallel_config = "build_ext.cfg";

/// Job counts steer how a build runs, never what it makes: they are not inputs.
void set_cores(Environment& environment, unsigned cores) {
    const auto count = std::to_string(cores);
    environment["MAX_JOBS"] = count;
    environment["CMAKE_BUILD_PARALLEL_LEVEL"] = count;
    environment["CARGO_BUILD_JOBS"] = count;
    environment["MAKEFLAGS"] = "-j" + count;
}

/// Regular files with the suffix of a wheel, not followed through links.
std::vector<fs::path> wheels_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".whl"
            && entry.symlink_status().type() == fs::file_type::regular) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string listed(const std::vector<fs::path>& files) {
    std::vector<std::string> names;
    for (const auto& file : files) {
        names.push_back(printable(file.filename().string()));
    }
    return join(names, ", ");
}

BuildFailure wrong_result(std::string message) {
    BuildFailure failure;
    failure.id = "bad-backend-result";
    failure.hook = "build_wheel";
    failure.message = std::move(message);
    return failure;
}

BuildFailure wrong_metadata(const std::string& what) {
    auto failure = wrong_result("the METADATA that the backend prepared " + what);
    failure.hook = metadata_hook;
    return failure;
}

}  // namespace

IsolatedBuild::IsolatedBuild(const BuildOrder& order, const Toolbox& tools, std::stop_token stop)
    : order_(order), tools_(tools), stop_(std::move(stop)),
      paths_(build::build_paths(tools.sandbox.level, order.scratch)),
      toolchain_values_(order.own_toolchain.values) {}

/// Where a path of the build lies on this host: the same at level none, else below scratch.
fs::path IsolatedBuild::on_host(const char* name, const fs::path& inside) const {
    return tools_.sandbox.level == build::SandboxLevel::none ? inside : order_.scratch / name;
}

fs::path IsolatedBuild::build_folder() const {
    return order_.settings.build_dir ? paths_.source / order_.settings.build_dir->value
                                     : paths_.source;
}

void IsolatedBuild::provide(const std::function<SourceTree(const fs::path&)>& prepare) {
    auto started = Clock::now();
    tree_ = prepare(on_host("src", paths_.source));
    make_directories(on_host("out", paths_.output));
    const auto runner = resource("src/build/hook_runner.py");
    if (!runner) {
        throw Error(ExitCode::bug, "resource-missing", "the hook runner is not embedded");
    }
    write_file(on_host("runner", paths_.runner) / "hook_runner.py", *runner);
    if (compiles_in_parallel()) {
        write_file(
            on_host("runner", paths_.runner) / parallel_config,
            "[build_ext]\nparallel = " + std::to_string(order_.cores) + "\n"
        );
    }
    rust_ = provide_crates(
        order_, tools_, tree_.root, {on_host("home", paths_.home), paths_.home}, stop_
    );
    measure("prepare", started);
    started = Clock::now();
    const build::TreeCache cache(tools_.store.trees(), tools_.interpreter, paths_.environment);
    python_environment_ = build::provide_environment(
        cache, order_.environment, tools_.sandbox, paths_, order_.scratch
    );
    run_setup();
    find_toolchain();
    measure("environment", started);
}

/// The variant's own preparations of the environment.
void IsolatedBuild::run_setup() {
    std::string place =
        build::sandbox_class(tools_.sandbox.level) + "\n" + tools_.interpreter.digest;
    for (const auto& folder : order_.toolchain_folders) {
        place += "\n" + folder.from.string();
    }
    auto commands = order_.setup;
    for (auto& command : commands) {
        for (auto& word : command) {
            word = filled_in(word).value_or(word);
        }
    }
    python_environment_ = set_up(
        python_environment_,
        {commands, tools_.store.trees(), place},
        [this](const Mount& environment, const std::vector<std::string>& argv) {
            const auto as_it_was = std::exchange(python_environment_, environment);
            auto inside = launch();
            python_environment_ = as_it_was;
            inside.argv = argv;
            return build::run_enclosed(std::move(inside), tools_.sandbox, order_.scratch, stop_);
        }
    );
}

/// Of a toolchain that came with the environment's wheels only a program of them knows the root.
void IsolatedBuild::find_toolchain() {
    const auto& command = order_.own_toolchain.command;
    if (command.empty()) {
        return;
    }
    auto inside = launch();
    inside.argv = command;
    inside.log.clear();
    const auto result =
        build::run_enclosed(std::move(inside), tools_.sandbox, order_.scratch, stop_);
    const std::string told(trim(result.out));
    if (result.exit_code != 0 || !told.starts_with('/') || told.find('\n') != std::string::npos) {
        throw Error(
            ExitCode::build_failed,
            "toolchain-not-told",
            fmt::format(
                "'{}' in the build environment told no folder, and ended with {}: {}",
                join(command, " "),
                result.exit_code,
                printable(trim(result.err.empty() ? result.out : result.err))
            )
        )
            .advise("see whether the build requires all distributions of the toolchain");
    }
    toolchain_values_.emplace(OwnToolchain::root, told);
}

/// With the values of placeholders; nullopt before the environment is complete, when nobody can say
/// where its toolchain is.
std::optional<std::string> IsolatedBuild::filled_in(std::string value) const {
    if (order_.own_toolchain.command.empty()) {
        return value;
    }
    for (const auto placeholder : OwnToolchain::placeholders) {
        if (value.find(placeholder) == std::string::npos) {
            continue;
        }
        const auto known = toolchain_values_.find(placeholder);
        if (known == toolchain_values_.end()) {
            return std::nullopt;
        }
        value = replace_all(value, placeholder, known->second);
    }
    return value;
}

/// Those of the environment's own toolchain are links into it.
std::vector<build::ShownFolder> IsolatedBuild::toolchain_folders() const {
    std::vector<build::ShownFolder> folders;
    for (const auto& folder : order_.toolchain_folders) {
        if (const auto from = filled_in(folder.from.string())) {
            folders.push_back({*from, folder.inside, *from != folder.from});
        }
    }
    return folders;
}

std::optional<BuildFailure> IsolatedBuild::translate() {
    if (!order_.settings.hipify || !translated_.empty()) {
        return std::nullopt;
    }
    auto outcome = hipify(
        order_.settings.hipify->value,
        tree_.root,
        [this](const std::vector<std::string>& argv) {
            auto inside = launch();
            inside.argv = argv;
            inside.cwd = paths_.source;
            return build::run_enclosed(std::move(inside), tools_.sandbox, order_.scratch, stop_);
        }
    );
    if (auto* failed = std::get_if<BuildFailure>(&outcome)) {
        failed->cancelled = stop_.stop_requested();
        return std::move(*failed);
    }
    translated_ = std::get<std::vector<TranslatedFile>>(std::move(outcome));
    return std::nullopt;
}

bool IsolatedBuild::compiles_in_parallel() const {
    return config::value_or(order_.settings.build.build_ext_parallel, false);
}

std::vector<fs::path> IsolatedBuild::toolchain_path() const {
    std::vector<fs::path> folders;
    for (const auto& folder : order_.toolchain_path) {
        if (const auto known = filled_in(folder.string())) {
            folders.emplace_back(*known);
        }
    }
    return folders;
}

Environment IsolatedBuild::environment() const {
    auto environment =
        build::base_environment(tools_.callers_environment, paths_, tools_.passed_variables);
    build::extend_path(environment, toolchain_path());
    set_cores(environment, order_.cores);
    environment["SOURCE_DATE_EPOCH"] =
        std::to_string(std::max<std::int64_t>(tree_.newest_mtime, 315'532'800));
    if (compiles_in_parallel()) {
        environment["DIST_EXTRA_CONFIG"] = (paths_.runner / parallel_config).string();
    }
    if (rust_) {
        build::extend_path(environment, {rust_->toolchain.rustc.parent_path()});
    }
    for (const auto& variable : order_.variables) {
        if (const auto known = filled_in(variable.value)) {
            environment[variable.name] = *known;
        }
    }
    return environment;
}

Launch IsolatedBuild::launch() const {
    Launch launch;
    launch.env = environment();
    launch.cwd = build_folder();
    std::vector<fs::path> roots = {tools_.interpreter.base_prefix};
    if (rust_) {
        roots.push_back(rust_->toolchain.root);
    }
    launch.mounts = build::system_mounts(roots);
    build::show_folders(launch.mounts, toolchain_folders(), tools_.sandbox.level);
    const auto writable = [&](const char* name, const fs::path& inside) {
        launch.mounts.push_back({Mount::Kind::read_write, {on_host(name, inside)}, inside});
    };
    writable("src", paths_.source);
    writable("out", paths_.output);
    launch.mounts.push_back(
        {Mount::Kind::read_only, {on_host("runner", paths_.runner)}, paths_.runner}
    );
    launch.mounts.push_back(python_environment_);
    launch.log = order_.log;
    return launch;
}

BuildFailure IsolatedBuild::failure_of(const build::HookFailure& failure) const {
    BuildFailure result;
    result.hook = failure.hook;
    result.exit_code = failure.exit_code;
    result.cancelled = stop_.stop_requested();
    if (failure.backend_missing) {
        result.id = "backend-not-found";
        result.message = "the build backend " + order_.facts->pyproject.build_system.backend
                         + " cannot be imported: " + printable(failure.exception);
    } else if (!failure.exception.empty()) {
        result.message = failure.hook + " failed: " + printable(failure.exception);
    } else {
        result.message = fmt::format("{} ended with exit code {}", failure.hook, failure.exit_code);
    }
    return result;
}

/// What the backend needs beyond [build-system]; nullopt when the hook failed (see `failed`).
std::optional<std::vector<std::string>>
IsolatedBuild::ask_requires(build::HookSession& session, BuildOutcome& failed) {
    if (order_.known_requires) {
        return order_.known_requires;
    }
    auto answer = session.get_requires_for_build_wheel();
    if (!answer) {
        failed = failure_of(answer.error());
        return std::nullopt;
    }
    measure_hooks("requires", {}, session.measure());
    return std::move(*answer);
}

build::HookSessionRequest IsolatedBuild::session_request() const {
    build::HookSessionRequest request;
    request.base = launch();
    request.python = paths_.environment / "bin" / "python";
    request.runner = paths_.runner / "hook_runner.py";
    request.build_system = order_.facts->pyproject.build_system;
    request.config_settings = order_.settings.config_settings;
    request.sandbox = tools_.sandbox;
    request.scratch = order_.scratch;
    return request;
}

std::variant<NeedsRequirements, BuildFailure> IsolatedBuild::ask_backend() {
    build::HookSession session(session_request(), stop_);
    auto answer = session.get_requires_for_build_wheel();
    if (!answer) {
        return failure_of(answer.error());
    }
    return NeedsRequirements{std::move(*answer)};
}

int IsolatedBuild::run_attached(const std::vector<std::string>& argv) {
    if (const auto failed = translate()) {
        throw Error(ExitCode::build_failed, failed->id, failed->message);
    }
    auto inside = launch();
    inside.argv = argv;
    inside.log.clear();
    return build::run_attached(std::move(inside), tools_.sandbox, order_.scratch, stop_);
}

BuildOutcome IsolatedBuild::run_backend() {
    if (auto failed = translate()) {
        return *std::move(failed);
    }
    build::HookSession session(session_request(), stop_);
    BuildOutcome failed = BuildFailure{};
    const auto needs = ask_requires(session, failed);
    if (!needs) {
        return failed;
    }
    const auto is_provided = [&](const std::string& text) {
        const auto requirement = pep::Requirement::parse(text);
        return requirement && order_.is_provided(*requirement);
    };
    const bool may_go_on = (!order_.answer_first || order_.metadata_first)
                           && std::all_of(needs->begin(), needs->end(), is_provided);
    if (!order_.known_requires && !may_go_on) {
        return NeedsRequirements{*needs};
    }
    dynamic_requires_ = *needs;
    if (order_.metadata_first) {
        if (auto answer = ask_metadata(session)) {
            return std::move(*answer);
        }
    }
    return build_wheel(session);
}

/// nullopt when the backend has no such hook.
std::optional<BuildOutcome> IsolatedBuild::ask_metadata(build::HookSession& session) {
    const auto folder = on_host("out", paths_.output) / "metadata";
    make_directories(folder);
    const auto before = session.measure();
    const auto text = session.prepare_metadata_for_build_wheel(paths_.output / "metadata");
    remove_tree(folder);
    if (!text) {
        return failure_of(text.error());
    }
    if (!*text) {
        return std::nullopt;
    }
    measure_hooks("metadata", before, session.measure());
    auto metadata = pep::Metadata::parse(**text);
    if (!metadata) {
        return wrong_metadata("cannot be read: " + metadata.error().message);
    }
    if (pep::normalize_name(metadata->name) != order_.id.name
        || metadata->version.public_text() != order_.id.version.public_text()) {
        return wrong_metadata(
            "is of " + printable(metadata->name) + " " + printable(metadata->version_text)
        );
    }
    return PreparedMetadata{**text, std::move(*metadata), dynamic_requires_, steps_};
}

BuildOutcome IsolatedBuild::build_wheel(build::HookSession& session) {
    const auto before = session.measure();
    const auto built = session.build_wheel(paths_.output);
    if (!built) {
        return failure_of(built.error());
    }
    measure_hooks("build", before, session.measure());
    return collect(*built);
}

BuildOutcome IsolatedBuild::run_pip() {
    if (auto failed = translate()) {
        return *std::move(failed);
    }
    build::PipBuildRequest request;
    request.base = launch();
    request.python = paths_.environment / "bin" / "python";
    request.output = paths_.output;
    request.config_settings = order_.settings.config_settings;
    request.sandbox = tools_.sandbox;
    request.scratch = order_.scratch;
    const auto built = build::build_with_pip(request, stop_);
    if (!built) {
        return failure_of(built.error());
    }
    measure_hooks("build", {}, *built);
    return collect("");
}

/// @param returned  the base name the backend gave; "" when nobody said
BuildOutcome IsolatedBuild::collect(const std::string& returned) {
    const auto wheels = wheels_in(on_host("out", paths_.output));
    if (wheels.empty()) {
        return wrong_result("the backend left no wheel");
    }
    if (wheels.size() > 1) {
        return wrong_result("the backend left more than one wheel: " + listed(wheels));
    }
    if (!returned.empty() && wheels.front().filename() != returned) {
        return wrong_result(
            "the backend says it built '" + printable(returned) + "' and left " + listed(wheels)
        );
    }
    return RawWheel{
        wheels.front(),
        tree_.root,
        environment(),
        dynamic_requires_,
        rust_ ? rust_->crates : std::vector<source::Crate>(),
        steps_,
        translated_
    };
}

void IsolatedBuild::measure(const char* step, Clock::time_point since) {
    StepMeasure measured;
    measured.step = step;
    measured.wall_seconds = std::chrono::duration<double>(Clock::now() - since).count();
    steps_.push_back(std::move(measured));
}

void IsolatedBuild::measure_hooks(
    const char* step, const build::HookMeasure& before, const build::HookMeasure& now
) {
    StepMeasure measured;
    measured.step = step;
    measured.wall_seconds = now.wall_seconds - before.wall_seconds;
    measured.cpu_seconds = now.cpu_seconds - before.cpu_seconds;
    measured.peak_rss_bytes = now.peak_rss_bytes;
    measured.disk_bytes = tree_size(order_.scratch);
    steps_.push_back(std::move(measured));
}

}  // namespace wheelforge::plugin
