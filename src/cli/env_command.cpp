// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/variant_options.hpp"
#include "engine/environment_report.hpp"

namespace wheelforge::cli {
namespace {

struct EnvOptions {
    VariantOptions variant;
    std::string package;
    std::string shell;
};

engine::EnvironmentFormat format_of(const EnvOptions& options) {
    if (!options.shell.empty()) {
        return engine::EnvironmentFormat::shell;
    }
    return options.variant.format == "json" ? engine::EnvironmentFormat::json
                                            : engine::EnvironmentFormat::lines;
}

int run(const EnvOptions& options) {
    const auto looked = look_at_variant(options.variant);
    const auto package =
        options.package.empty() ? engine::AskedPackage() : engine::asked_package(options.package);
    const auto settings = options.package.empty() ? engine::settings_that_use_everything()
                                                  : looked.settings.package(package.name);
    const auto environment = engine::environment_of(looked.here, settings, package.version);
    std::cout << engine::render_environment(looked.here, package, environment, format_of(options));
    if (format_of(options) == engine::EnvironmentFormat::shell) {
        for (const auto& problem : environment.problems) {
            std::cerr << problem.id << ": " << problem.message << "\n";
        }
    }
    return environment.problems.empty() ? 0 : static_cast<int>(ExitCode::usage);
}

}  // namespace

void register_env(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "env", "Show the variables a variant gives to builds, or to one package, and who set them"
    );
    auto options = std::make_shared<EnvOptions>();
    command->add_option("PKG", options->package, "NAME or NAME==VERSION; without: all variables");
    add_variant_options(*command, options->variant, {"text", "json"});
    command->add_option("--export", options->shell, "as lines for a shell")
        ->check(CLI::IsMember({"sh"}));
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
