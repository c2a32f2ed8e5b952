// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/one_package.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"

namespace wheelforge::cli {
namespace {

struct ShellOptions {
    InputOptions inputs;
    std::string package;
    std::vector<std::string> command;
};

std::vector<std::string> command_of(const ShellOptions& options) {
    if (!options.command.empty()) {
        return options.command;
    }
    return ::isatty(STDIN_FILENO) == 1 ? std::vector<std::string>{"/bin/sh", "-i"}
                                       : std::vector<std::string>{"/bin/sh"};
}

int run(const ShellOptions& options) {
    const SignalWatch signals;
    const auto package = parse_package(options.package);
    auto request = make_request_for(options.package, options.inputs);
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    ProgressLines lines;  // no live lines: the screen is the program's
    const auto entered =
        engine::enter_one(request, package, command_of(options), lines, signals.token());
    if (entered.exit_code && entered.report.exit_code == ExitCode::ok) {
        return *entered.exit_code;
    }
    print_failures(
        entered.report, request.output.lexically_proximate(std::filesystem::current_path())
    );
    return static_cast<int>(entered.report.exit_code);
}

}  // namespace

void register_shell(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "shell", "A shell, or a command, where the build of a package would run"
    );
    auto options = std::make_shared<ShellOptions>();
    command->add_option("PACKAGE", options->package, "NAME==VERSION, or NAME as resolved")
        ->required();
    command->add_option("COMMAND", options->command, "after --; a shell without")
        ->allow_extra_args(true);
    add_input_options(*command, options->inputs);
    command->remove_option(command->get_option("REQ"));
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
