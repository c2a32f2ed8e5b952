// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "engine/matrix.hpp"

namespace wheelforge::cli {
namespace {

struct MatrixOptions {
    InputOptions inputs;
    std::vector<std::string> axes;
    std::string format = "text";
};

std::vector<engine::MatrixAxis> parse_axes(const std::vector<std::string>& texts) {
    std::vector<engine::MatrixAxis> axes;
    for (const auto& text : texts) {
        auto axis = engine::MatrixAxis::parse(text);
        if (!axis) {
            throw Error(
                ExitCode::usage,
                "bad-usage",
                "--axis " + printable(text) + ": " + axis.error().message
            )
                .advise("write --axis torch=2.9,2.10");
        }
        axes.push_back(std::move(*axis));
    }
    return axes;
}

int run(const MatrixOptions& options) {
    const SignalWatch signals;
    auto axes = parse_axes(options.axes);
    auto request = make_request(options.inputs, Interpreter::may_be_absent);
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    ProgressNotices notices;
    const auto report =
        engine::matrix(std::move(request), std::move(axes), notices, signals.token());
    std::cout
        << (options.format == "json" ? engine::matrix_json(report) : engine::matrix_text(report));
    return static_cast<int>(report.exit_code());
}

}  // namespace

void register_matrix(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "matrix", "Say which combinations of versions have a solution, and why the others have none"
    );
    auto options = std::make_shared<MatrixOptions>();
    add_input_options(*command, options->inputs);
    command->add_option("--axis", options->axes, "versions to try, as torch=2.9,2.10; repeatable")
        ->allow_extra_args(false)
        ->required()
        ->type_name("NAME=LIST");
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
