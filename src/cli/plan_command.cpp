// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/variant_options.hpp"
#include "config/requirements_file.hpp"
#include "engine/environment_report.hpp"

namespace wheelforge::cli {
namespace {

struct PlanOptions {
    VariantOptions variant;
    std::vector<std::string> packages;
    std::vector<std::string> files;
};

std::vector<engine::AskedPackage> asked(const PlanOptions& options, const config::Settings& known) {
    std::vector<engine::AskedPackage> packages;
    for (const auto& text : options.packages) {
        packages.push_back(engine::asked_package(text));
    }
    for (const auto& file : options.files) {
        for (const auto& line : config::read_requirements_file(file).requirements) {
            packages.push_back(
                engine::asked_package(line.requirement.name + line.requirement.specifier.text())
            );
        }
    }
    if (options.packages.empty() && options.files.empty()) {
        for (const auto& [name, package] : known.packages()) {
            if (package.rules.use("archs")) {
                packages.push_back(engine::asked_package(name));
            }
        }
    }
    return packages;
}

int run(const PlanOptions& options) {
    const auto looked = look_at_variant(options.variant);
    const auto rows =
        engine::plan_archs(looked.here, looked.settings, asked(options, looked.settings));
    std::cout << engine::render_plan(looked.here, rows, options.variant.format == "json");
    return engine::is_refused(rows) ? static_cast<int>(ExitCode::usage) : 0;
}

}  // namespace

void register_plan(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "plan",
        "Say for each package which architectures will be native, run by other code, or refused"
    );
    auto options = std::make_shared<PlanOptions>();
    command->add_option("PKG", options->packages, "NAME or NAME==VERSION; without: all known ones");
    command->add_option("-r,--requirement", options->files, "requirements file")
        ->allow_extra_args(false)
        ->type_name("FILE");
    add_variant_options(*command, options->variant, {"text", "json"});
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
