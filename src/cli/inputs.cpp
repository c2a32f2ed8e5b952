// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs.hpp"

#include <CLI/CLI.hpp>

#include "base/answers.hpp"
#include "base/text.hpp"
#include "cli/variant_facts.hpp"
#include "config/project_file.hpp"
#include "config/requirements_file.hpp"
#include "engine/host.hpp"
#include "index/pip_config.hpp"
#include "pep/name.hpp"

namespace wheelforge::cli {
namespace {

using resolve::Origin;

/// Memory a build is assumed to want before anything is known about it.
constexpr std::uint64_t memory_per_build = 1ULL << 30U;

/// What the files and words say together, before it becomes a request.
struct Gathered {
    std::vector<config::RequirementLine> roots;
    std::vector<config::RequirementLine> constraints;
    std::vector<std::string> index_urls;
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    bool no_index = false;
    bool prereleases = false;
    std::string settings;
    std::string output;
    std::vector<std::string> archs;

    void take(const config::RequirementsFile& file) {
        roots.insert(roots.end(), file.requirements.begin(), file.requirements.end());
        constraints.insert(constraints.end(), file.constraints.begin(), file.constraints.end());
        if (!file.index_urls.empty()) {
            index_urls = file.index_urls;
        }
        extra_index_urls.insert(
            extra_index_urls.end(), file.extra_index_urls.begin(), file.extra_index_urls.end()
        );
        find_links.insert(find_links.end(), file.find_links.begin(), file.find_links.end());
        no_index = no_index || file.no_index;
        prereleases = prereleases || file.allow_prereleases;
    }
    void constrain(const config::RequirementsFile& file) {
        constraints.insert(constraints.end(), file.requirements.begin(), file.requirements.end());
        constraints.insert(constraints.end(), file.constraints.begin(), file.constraints.end());
    }
};

config::RequirementLine word(const std::string& text) {
    auto requirement = pep::Requirement::parse(text);
    if (!requirement) {
        throw Error(
            ExitCode::usage,
            "bad-requirement",
            "'" + printable(text)
                + "' on the command line is no requirement: " + requirement.error().message
        );
    }
    return {std::move(*requirement), "command line", {}};
}

/// wheelforge.yaml of the current folder stands in when the command line names no roots.
void take_project_file(Gathered& gathered, const InputOptions& options) {
    const auto project = config::ProjectFile::load_if_there();
    if (!project) {
        throw Error(ExitCode::usage, "nothing-to-do", "nothing says what to build")
            .advise("name requirements: wheelforge bootstrap requests")
            .advise("or a file of them: wheelforge bootstrap -r requirements.txt, or -c "
                    "constraints.txt "
                    "to build every line of it")
            .advise("or write wheelforge.yaml in this folder, with requirements or constraints for "
                    "the variant");
    }
    const auto variant = project->for_variant(options.variant);
    for (const auto& file : variant.requirement_files) {
        gathered.take(config::read_requirements_file(file));
    }
    gathered.roots.insert(
        gathered.roots.end(), variant.requirements.begin(), variant.requirements.end()
    );
    for (const auto& file : variant.constraints) {
        gathered.constrain(config::read_constraints_file(file));
    }
    gathered.settings = variant.settings.value_or("");
    gathered.output = variant.output.value_or("");
    gathered.archs = variant.archs;
}

Gathered gather(const InputOptions& options) {
    Gathered gathered;
    for (const auto& text : options.requirements) {
        gathered.roots.push_back(word(text));
    }
    for (const auto& file : options.requirement_files) {
        gathered.take(config::read_requirements_file(file));
    }
    for (const auto& file : options.constraint_files) {
        gathered.constrain(config::read_constraints_file(file));
    }
    const bool no_roots = options.requirements.empty() && options.requirement_files.empty();
    if (no_roots && options.constraint_files.empty()) {
        take_project_file(gathered, options);
    }
    if (no_roots && gathered.roots.empty()) {
        gathered.roots = gathered.constraints;  // every constrained distribution is wanted
    }
    return gathered;
}

std::vector<resolve::Wanted>
wanted(const std::vector<config::RequirementLine>& lines, Origin::Kind kind) {
    std::vector<resolve::Wanted> result;
    for (const auto& line : lines) {
        if (line.requirement.url) {
            throw Error(
                ExitCode::usage,
                "url-requirement",
                line.origin + ": " + line.requirement.name
                    + " @ URL: requirements by URL cannot be built yet"
            )
                .advise("name a version that an index or --find-links folder has");
        }
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
    input.env = request.callers_environment;
    input.interpreter = request.interpreter.executable;
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

std::string value_of(const Environment& environment, const std::string& name) {
    const auto value = environment.find(name);
    return value == environment.end() ? std::string() : value->second;
}

}  // namespace

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
    command.add_option("--pre-built", options.pre_built, "take this distribution as a wheel")
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
    command.add_flag("--pre", options.prereleases, "allow pre-releases of the roots");
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
    command.add_flag("--offline", options.offline, "use only what is on this machine");
    command.add_flag("--refresh", options.refresh, "ask the index again, whatever is cached");
}

engine::BootstrapRequest make_request(const InputOptions& options) {
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
    request.constraints = wanted(gathered.constraints, Origin::Kind::constraint);
    request.allow_prereleases = gathered.prereleases || options.prereleases;
    request.settings = load_settings(options, gathered, variant);
    request.callers_environment = current_environment();
    request.cache = options.cache_dir.empty() ? store::default_cache_directory()
                                              : fs::absolute(options.cache_dir);
    answers::keep_in(request.cache / "answers");
    request.passed_variables = options.passed_variables;
    request.interpreter =
        build::probe_interpreter(options.python, value_of(request.callers_environment, "PATH"));
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
