// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs.hpp"

#include <algorithm>
#include <chrono>

#include <CLI/CLI.hpp>

#include "base/answers.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/gathered.hpp"
#include "cli/variant_facts.hpp"
#include "engine/graph.hpp"
#include "engine/graph_read.hpp"
#include "engine/host.hpp"
#include "index/pip_config.hpp"
#include "pep/name.hpp"

namespace wheelforge::cli {
namespace {

using resolve::Origin;

/// Memory a build is assumed to want before anything is known about it.
constexpr std::uint64_t memory_per_build = 1ULL << 30U;

std::vector<resolve::Wanted>
wanted(const std::vector<config::RequirementLine>& lines, Origin::Kind kind) {
    std::vector<resolve::Wanted> result;
    for (const auto& line : lines) {
        result.push_back({line.requirement, {kind, line.origin}});
    }
    return result;
}

config::Settings load_settings(
    const InputOptions& options, const Gathered& gathered, const variant::Variant& variant
) {
    config::Settings::Sources sources;
    sources.variant_keys = variant.settings_keys;
    sources.variant_pre_built = variant.pre_built;
    for (const auto& name : options.pre_built) {
        if (name == ":all:") {
            sources.pre_built.push_back(name);
            continue;
        }
        auto parsed = pep::parse_name(name);
        if (!parsed) {
            throw Error(
                ExitCode::usage,
                "bad-usage",
                "--pre-built " + printable(name) + ": " + parsed.error().message
            );
        }
        sources.pre_built.push_back(std::move(*parsed));
    }
    if (!options.settings_file.empty()) {
        sources.file = options.settings_file;
    }
    if (!options.settings_dir.empty()) {
        sources.folder = options.settings_dir;
    }
    if (!options.patches_dir.empty()) {
        sources.patches = options.patches_dir;
    }
    if (!sources.file && !sources.folder && !gathered.settings.empty()) {
        (fs::is_directory(gathered.settings) ? sources.folder : sources.file) = gathered.settings;
    }
    return config::Settings::load(sources);
}

index::IndexSettings index_settings(
    const InputOptions& options, const Gathered& gathered, const engine::BootstrapRequest& request
) {
    index::PipConfigInput input;
    input.env = environment_for_pip(request.callers_environment, options.no_config);
    input.interpreter = request.interpreter.executable;
    input.trusted_hosts = gathered.trusted_hosts;
    input.index_urls = gathered.index_urls;
    if (!options.index_url.empty()) {
        input.index_urls = {options.index_url};
    }
    input.extra_index_urls = gathered.extra_index_urls;
    input.extra_index_urls.insert(
        input.extra_index_urls.end(),
        options.extra_index_urls.begin(),
        options.extra_index_urls.end()
    );
    input.find_links = gathered.find_links;
    input.find_links.insert(
        input.find_links.end(), options.find_links.begin(), options.find_links.end()
    );
    input.no_index = gathered.no_index || options.no_index;
    auto settings = index::pip_index_settings(input);
    settings.page_cache = request.cache / "pages";
    settings.offline = options.offline;
    settings.refresh = options.refresh;
    return settings;
}

/// The age limits, and which roots are exempt since they name their version.
engine::ReleaseFilter release_filter(
    const InputOptions& options,
    const std::vector<resolve::Wanted>& roots,
    const config::Settings& settings
) {
    engine::ReleaseFilter filter;
    for (const auto& [name, package] : settings.packages()) {
        if (const auto& days = package.resolution.min_release_age) {
            filter.min_age_of.insert_or_assign(name, std::chrono::days(days->value));
        }
    }
    filter.exclude_newer_text = options.exclude_newer;
    filter.min_age_text = options.min_release_age;
    filter.now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto refuse = [](const std::string& option, const std::string& text) {
        throw Error(
            ExitCode::usage, "bad-usage", option + " " + printable(text) + " is not understood"
        )
            .advise(
                "--exclude-newer takes 2026-01-31 or 2026-01-31T12:00:00Z, --min-release-age 7d, "
                "12h or P7D"
            );
    };
    if (!options.exclude_newer.empty()) {
        filter.exclude_newer = engine::parse_time(options.exclude_newer);
        if (!filter.exclude_newer) {
            refuse("--exclude-newer", options.exclude_newer);
        }
    }
    if (!options.min_release_age.empty()) {
        filter.min_age = engine::parse_duration(options.min_release_age);
        if (!filter.min_age) {
            refuse("--min-release-age", options.min_release_age);
        }
    }
    for (const auto& root : roots) {
        const auto& specifiers = root.requirement.specifier.specifiers();
        const bool pins = std::any_of(specifiers.begin(), specifiers.end(), [](const auto& each) {
            using Operator = pep::Specifier::Operator;
            return (each.op() == Operator::equal && !each.wildcard())
                   || each.op() == Operator::arbitrary;
        });
        if (pins) {
            filter.pinned.insert_or_assign(root.requirement.name, root.requirement.specifier);
        }
    }
    return filter;
}

engine::Strategy strategy_of(const std::string& text) {
    return text == "lowest"          ? engine::Strategy::lowest
           : text == "lowest-direct" ? engine::Strategy::lowest_direct
                                     : engine::Strategy::highest;
}

engine::Rebuild rebuild_of(const std::string& word) {
    return word == "all"         ? engine::Rebuild::all
           : word == "changelog" ? engine::Rebuild::changelog
                                 : engine::Rebuild::strong;
}

/// An interpreter that is not here, from the table: "3.12.4", or "3.12" for its first release.
std::optional<build::Interpreter> absent_interpreter(const std::string& wanted) {
    const auto version = pep::Version::parse(wanted);
    const auto dots = std::count(wanted.begin(), wanted.end(), '.');
    if (!version || dots < 1 || dots > 2
        || wanted.find_first_not_of("0123456789.") != std::string::npos) {
        return std::nullopt;
    }
    build::Interpreter interpreter;
    interpreter.target =
        engine::host_target(*pep::Version::parse(dots == 1 ? wanted + ".0" : wanted));
    return interpreter;
}

build::Interpreter
find_interpreter(const std::string& wanted, const std::string& path, Interpreter need) {
    try {
        return build::probe_interpreter(wanted, path);
    } catch (const Error& error) {
        const bool absent = error.id() == "python-not-found";
        auto table = need == Interpreter::may_be_absent && absent ? absent_interpreter(wanted)
                                                                  : std::nullopt;
        if (!table) {
            throw;
        }
        return *std::move(table);
    }
}

std::vector<std::map<std::string, pep::Version>> read_previous(const std::vector<std::string>& files
) {
    std::vector<std::map<std::string, pep::Version>> preferences;
    for (const auto& file : files) {
        auto more = engine::load_graph(file).graph.preferences();
        preferences.insert(preferences.end(), more.begin(), more.end());
    }
    return preferences;
}

std::string value_of(const Environment& environment, const std::string& name) {
    const auto value = environment.find(name);
    return value == environment.end() ? std::string() : value->second;
}

}  // namespace

/// Options that say which of the possible versions to take.
static void add_choice_options(CLI::App& command, InputOptions& options) {
    command
        .add_option(
            "-p,--previous",
            options.previous,
            "graph.json of an earlier run, ours or Fromager's: its versions are tried first"
        )
        ->allow_extra_args(false)
        ->type_name("GRAPH");
    command
        .add_option("--exclude-newer", options.exclude_newer, "no file uploaded after this date")
        ->type_name("DATE");
    command
        .add_option(
            "--min-release-age", options.min_release_age, "no file younger than this: 7d, 12h"
        )
        ->type_name("DURATION");
    command.add_option("--resolution", options.resolution, "which version is tried first")
        ->check(CLI::IsMember({"highest", "lowest", "lowest-direct"}))
        ->capture_default_str();
    command.add_flag(
        "--backtrack-builds",
        options.backtrack_builds,
        "pass over versions whose build requirements cannot be had"
    );
    command.add_flag(
        "--no-config",
        options.no_config,
        "ignore wheelforge.yaml, pip's configuration files and PIP_* variables"
    );
}

void add_input_options(CLI::App& command, InputOptions& options) {
    command.add_option("REQ", options.requirements, "requirements, as pip takes them");
    command.add_option("-r,--requirement", options.requirement_files, "requirements file")
        ->allow_extra_args(false)
        ->type_name("FILE");
    command
        .add_option(
            "-c,--constraint,--constraints-file",
            options.constraint_files,
            "constraints file, for runtime and build; alone: build every line of it"
        )
        ->allow_extra_args(false)
        ->type_name("FILE");
    command
        .add_option(
            "--runtime-constraint",
            options.runtime_constraint_files,
            "constraints file for the runtime set alone"
        )
        ->allow_extra_args(false)
        ->type_name("FILE");
    command
        .add_option(
            "--build-constraint",
            options.build_constraint_files,
            "constraints file for builds alone"
        )
        ->allow_extra_args(false)
        ->type_name("FILE");
    add_choice_options(command, options);
    command.add_option("--variant", options.variant, "accelerator to build for")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--arch", options.archs, "architectures every wheel with kernels must serve")
        ->allow_extra_args(false)
        ->type_name("LIST");
    command
        .add_option(
            "--policy", options.policy, "expectations and levels per package (docs/verify.md)"
        )
        ->type_name("FILE");
    command.add_option("-o,--output", options.output, "output folder [out]")->type_name("DIR");
    command.add_option("--python", options.python, "interpreter: 3.12, or a path [python3]")
        ->type_name("X.Y|PATH");
    command.add_option("-j,--jobs", options.jobs, "cores for all builds together [all]")
        ->check(CLI::Range(1U, 4096U))
        ->type_name("N");
    command
        .add_option("--pre-built", options.pre_built, "take this distribution as a wheel; :all:")
        ->allow_extra_args(false)
        ->type_name("NAME");
    command.add_option("--settings-file", options.settings_file, "global settings")
        ->type_name("FILE");
    command.add_option("--settings-dir", options.settings_dir, "folder of package settings")
        ->type_name("DIR");
    command
        .add_option("--patches-dir", options.patches_dir, "folder of patches, NAME[-VERSION] each")
        ->type_name("DIR");
    command.add_option("--env", options.passed_variables, "variable that reaches every build")
        ->allow_extra_args(false)
        ->type_name("NAME[=VALUE]");
    command.add_flag(
        "--pre", options.prereleases, "as pip's, for the runtime set: pre-releases may be taken"
    );
    add_index_options(command, options);
}

void add_index_options(CLI::App& command, InputOptions& options) {
    command.add_option("--cache-dir", options.cache_dir, "where wheels and sources are kept")
        ->type_name("DIR");
    command.add_option("-i,--index-url", options.index_url, "as pip's")->type_name("URL");
    command.add_option("--extra-index-url", options.extra_index_urls, "as pip's")
        ->allow_extra_args(false)
        ->type_name("URL");
    command.add_option("-f,--find-links", options.find_links, "as pip's")
        ->allow_extra_args(false)
        ->type_name("URL|DIR");
    command.add_flag("--no-index", options.no_index, "as pip's");
    command.add_flag(
        "--require-hashes", options.require_hashes, "refuse files that no strong digest vouches for"
    );
    command.add_flag("--offline", options.offline, "use only what is on this machine");
    command.add_flag("--refresh", options.refresh, "ask the index again, whatever is cached");
}

void add_rebuild_options(CLI::App& command, InputOptions& options) {
    command
        .add_option(
            "--rebuild",
            options.rebuild,
            "what makes a wheel be built again: strong inputs, all, or the changelog alone"
        )
        ->check(CLI::IsMember({"strong", "all", "changelog"}))
        ->capture_default_str();
    command.add_flag(
        "--replace", options.replace, "a wheel that was published may get other content"
    );
}

engine::BootstrapRequest make_request(const InputOptions& options, Interpreter need) {
    engine::BootstrapRequest request;
    const auto variant = variant::load_variant(options.variant);
    const auto gathered = gather(options);
    if (!options.policy.empty()) {
        request.judgement.policy = wheel::load_policy(options.policy);
    }
    request.roots = wanted(gathered.roots, Origin::Kind::root);
    for (const auto* lines : {&gathered.roots, &gathered.constraints}) {
        for (const auto& line : *lines) {
            request.required_hashes[line.requirement.name].insert(
                line.hashes.begin(), line.hashes.end()
            );
        }
    }
    request.require_hashes = gathered.require_hashes || options.require_hashes;
    request.constraints = wanted(gathered.constraints, Origin::Kind::constraint);
    request.runtime_constraints = wanted(gathered.runtime_constraints, Origin::Kind::constraint);
    request.build_constraints = wanted(gathered.build_constraints, Origin::Kind::constraint);
    request.strategy = strategy_of(options.resolution);
    request.previous = read_previous(options.previous);
    request.rebuild = rebuild_of(options.rebuild);
    request.replace_published = options.replace;
    request.backtrack_builds = options.backtrack_builds;
    request.allow_prereleases = gathered.prereleases || options.prereleases;
    request.settings = load_settings(options, gathered, variant);
    request.releases = release_filter(options, request.roots, request.settings);
    request.callers_environment = current_environment();
    request.cache = options.cache_dir.empty() ? store::default_cache_directory()
                                              : fs::absolute(options.cache_dir);
    answers::keep_in(request.cache / "answers");
    request.passed_variables = options.passed_variables;
    request.interpreter =
        find_interpreter(options.python, value_of(request.callers_environment, "PATH"), need);
    request.here = engine::settle_variant(
        variant,
        options.archs.empty() ? gathered.archs : options.archs,
        surroundings_of(request.callers_environment, request.interpreter)
    );
    request.judgement.variant = variant_facts(request.here);
    if (!options.archs.empty() || !gathered.archs.empty()) {
        request.judgement.archs = parse_archs(request.here.archs);
    }
    const auto output = !options.output.empty()    ? options.output
                        : !gathered.output.empty() ? gathered.output
                                                   : std::string("out");
    request.output = fs::absolute(output).lexically_normal();
    request.index = index_settings(options, gathered, request);
    request.sandbox = build::probe_sandbox();
    request.cores = options.jobs != 0 ? options.jobs : engine::available_cores();
    request.memory_tokens = static_cast<unsigned>(
        std::clamp<std::uint64_t>(engine::available_memory() / memory_per_build, 1, 4096)
    );
    return request;
}

}  // namespace wheelforge::cli
