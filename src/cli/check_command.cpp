// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "engine/check.hpp"

namespace wheelforge::cli {
namespace {

struct CheckOptions {
    InputOptions inputs;
    std::string format = "text";
};

int run(const CheckOptions& options) {
    const SignalWatch signals;
    auto request = make_request(options.inputs, Interpreter::may_be_absent);
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    ProgressNotices notices;
    const auto report = engine::check(std::move(request), notices, signals.token());
    std::cout
        << (options.format == "json" ? engine::check_json(report) : engine::check_text(report));
    return static_cast<int>(report.exit_code());
}

}  // namespace

void register_check(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "check", "Find out whether a stack can be built, and everything that stands in the way"
    );
    auto options = std::make_shared<CheckOptions>();
    add_input_options(*command, options->inputs);
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
