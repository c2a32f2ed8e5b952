// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/journal.hpp"
#include "cli/one_package.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"

namespace wheelforge::cli {
namespace {

struct BuildOptions {
    InputOptions inputs;
    std::string package;
    std::string events;
};

/// Of the package itself, in the output folder; "" if it was not built.
std::string wheel_of(const engine::Report& report, const engine::OnePackage& package) {
    for (const auto& row : report.packages) {
        if (row.runtime && row.name == package.name) {
            return row.wheel;
        }
    }
    return "";
}

int run(const BuildOptions& options) {
    const SignalWatch signals;
    const auto package = parse_package(options.package);
    auto request = make_request_for(options.package, options.inputs);
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    const auto output = request.output.lexically_proximate(std::filesystem::current_path());
    const Journal journal(request.output / request.here.variant.name);
    engine::Report report;
    {
        Watching watching(options.events, journal.observer());
        report = engine::build_one(request, package, watching.observer(), signals.token());
    }
    print_failures(report, output);
    if (report.exit_code == ExitCode::ok) {
        std::cout << (output / wheel_of(report, package)).string() << "\n";
    }
    return static_cast<int>(report.exit_code);
}

}  // namespace

void register_build(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "build", "Build one package with its build tools; print the path of its wheel"
    );
    auto options = std::make_shared<BuildOptions>();
    command->add_option("PACKAGE", options->package, "NAME==VERSION, or NAME as resolved")
        ->required();
    add_input_options(*command, options->inputs);
    add_rebuild_options(*command, options->inputs);
    command->remove_option(command->get_option("REQ"));
    command->add_option("--events", options->events, "append progress as JSON lines")
        ->type_name("FILE");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
