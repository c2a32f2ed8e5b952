// SPDX-License-Identifier: Apache-2.0
// What the options are called; inputs.cpp says what they mean.
#include <CLI/CLI.hpp>

#include "cli/inputs.hpp"

namespace wheelforge::cli {

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
    command
        .add_option(
            "--variant", options.variants, "accelerator to build for; bootstrap takes several"
        )
        ->allow_extra_args(false)
        ->delimiter(',')
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
    command
        .add_option(
            "--host-environment",
            options.host_environments,
            "what is installed there is used as it is, and not shipped"
        )
        ->allow_extra_args(false)
        ->type_name("VENV");
    command.add_option("--settings-file", options.settings_file, "global settings")
        ->type_name("FILE");
    command.add_option("--settings-dir", options.settings_dir, "folder of package settings")
        ->type_name("DIR");
    command
        .add_option("--patches-dir", options.patches_dir, "folder of patches, NAME[-VERSION] each")
        ->type_name("DIR");
    command.add_flag(
        "--no-plugins", options.no_plugins, "ignore what wheelforge itself knows of packages"
    );
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

}  // namespace wheelforge::cli
