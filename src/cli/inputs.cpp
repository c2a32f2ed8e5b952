// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs.hpp"

#include <algorithm>
#include <chrono>

#include "base/answers.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/gathered.hpp"
#include "cli/variant_facts.hpp"
#include "engine/graph.hpp"
#include "engine/graph_read.hpp"
#include "engine/host.hpp"
#include "engine/provided.hpp"
#include "engine/variant_choice.hpp"
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

config::Settings::Sources settings_sources(const InputOptions& options, const Gathered& gathered) {
    config::Settings::Sources sources;
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
    sources.pre_built.insert(
        sources.pre_built.end(), gathered.only_binary.begin(), gathered.only_binary.end()
    );
    if (!options.settings_file.empty()) {
        sources.file = options.settings_file;
    }
    if (!options.settings_dir.empty()) {
        sources.folder = options.settings_dir;
    }
    if (!options.patches_dir.empty()) {
        sources.patches = options.patches_dir;
    }
    sources.plugins = !options.no_plugins;
    if (!sources.file && !sources.folder && !gathered.settings.empty()) {
        (fs::is_directory(gathered.settings) ? sources.folder : sources.file) = gathered.settings;
    }
    return sources;
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
    for (const auto& index : request.here.variant.index) {
        if (index.packages.empty()) {
            input.extra_index_urls.push_back(index.url);
        }
    }
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

/// What is passed on by name alone gets its value here, so that whoever judges it sees it.
std::vector<std::string>
with_values(std::vector<std::string> passed, const Environment& environment) {
    for (auto& each : passed) {
        const auto value = environment.find(each);
        if (value != environment.end()) {
            each += "=" + value->second;
        }
    }
    return passed;
}

std::string value_of(const Environment& environment, const std::string& name) {
    const auto value = environment.find(name);
    return value == environment.end() ? std::string() : value->second;
}

}  // namespace

engine::BootstrapRequest make_request(const InputOptions& options, Interpreter need) {
    engine::BootstrapRequest request;
    if (options.variants.size() != 1) {
        throw Error(ExitCode::usage, "bad-usage", "this command looks at one variant at a time")
            .advise("give --variant once");
    }
    const auto gathered = gather(options);
    auto chosen =
        engine::choose_variant(options.variants.front(), settings_sources(options, gathered));
    if (!chosen.warning.empty()) {
        request.notices.push_back(chosen.warning);
    }
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
    request.settings = std::move(chosen.settings);
    request.releases = release_filter(options, request.roots, request.settings);
    request.callers_environment = current_environment();
    request.cache = options.cache_dir.empty() ? store::default_cache_directory()
                                              : fs::absolute(options.cache_dir);
    answers::keep_in(request.cache / "answers");
    request.passed_variables = with_values(options.passed_variables, request.callers_environment);
    request.interpreter =
        find_interpreter(options.python, value_of(request.callers_environment, "PATH"), need);
    request.here = engine::settle_variant(
        std::move(chosen.variant),
        options.archs.empty() ? gathered.archs : options.archs,
        surroundings_of(request.callers_environment, request.interpreter)
    );
    request.judgement.variant = variant_facts(request.here);
    if (!options.archs.empty() || !gathered.archs.empty()) {
        request.judgement.archs =
            archs_to_judge(request.here.variant.architectures, request.here.archs);
    }
    const auto output = !options.output.empty()    ? options.output
                        : !gathered.output.empty() ? gathered.output
                                                   : std::string("out");
    request.output = fs::absolute(output).lexically_normal();
    request.index = index_settings(options, gathered, request);
    engine::add_provided(request, options.host_environments);
    request.sandbox = build::probe_sandbox();
    request.cores = options.jobs != 0 ? options.jobs : engine::available_cores();
    request.memory_tokens = static_cast<unsigned>(
        std::clamp<std::uint64_t>(engine::available_memory() / memory_per_build, 1, 4096)
    );
    return request;
}

}  // namespace wheelforge::cli
