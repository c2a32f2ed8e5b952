// SPDX-License-Identifier: Apache-2.0
#include "cli/variant_options.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "base/answers.hpp"
#include "cli/variant_facts.hpp"
#include "engine/variant_choice.hpp"
#include "store/store.hpp"

namespace wheelforge::cli {

void add_variant_options(
    CLI::App& command, VariantOptions& options, const std::vector<std::string>& formats
) {
    command
        .add_option(
            "--variant",
            options.variant,
            "accelerator [the one that has what --arch names, else cpu]"
        )
        ->type_name("NAME");
    command.add_option("--arch", options.archs, "architectures, as a list")
        ->allow_extra_args(false)
        ->type_name("LIST");
    command.add_option("--settings-file", options.settings_file, "global settings")
        ->type_name("FILE");
    command.add_option("--settings-dir", options.settings_dir, "folder of package settings")
        ->type_name("DIR");
    command.add_option("--python", options.python, "interpreter: 3.12, or a path [python3]")
        ->type_name("X.Y|PATH");
    command.add_option("--format", options.format, "how to print it")
        ->check(CLI::IsMember(formats));
}

LookedAt look_at_variant(const VariantOptions& options) {
    answers::keep_in(store::default_cache_directory() / "answers");
    config::Settings::Sources sources;
    if (!options.settings_file.empty()) {
        sources.file = options.settings_file;
    }
    if (!options.settings_dir.empty()) {
        sources.folder = options.settings_dir;
    }
    auto chosen = engine::choose_variant(
        options.variant.empty() ? engine::variant_of_archs(options.archs) : options.variant, sources
    );
    if (!chosen.warning.empty()) {
        std::cerr << "warning: " << chosen.warning << "\n";
    }
    const auto callers = current_environment();
    auto where = surroundings_of(callers);
    if (const auto python = find_program(
            options.python.find('/') == std::string::npos ? "python3" : options.python, where.path
        )) {
        where.python_bin = python->parent_path();
    }
    return {
        engine::settle_variant(std::move(chosen.variant), options.archs, where),
        std::move(chosen.settings)
    };
}

}  // namespace wheelforge::cli
