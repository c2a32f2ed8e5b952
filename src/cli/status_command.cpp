// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "engine/run_state.hpp"

namespace wheelforge::cli {

void register_status(CLI::App& app, int& exit_code) {
    struct Options {
        std::string output = "out";
        std::string format = "text";
    };
    auto* command =
        app.add_subcommand("status", "Say what a run does now, or how the last one ended");
    auto options = std::make_shared<Options>();
    command->add_option("DIR", options->output, "output folder")->capture_default_str();
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command->callback([options, &exit_code] {
        std::cout << engine::states_answer(
            engine::run_states(options->output),
            options->format == "json" ? engine::AnswerFormat::json : engine::AnswerFormat::text
        );
        exit_code = 0;
    });
}

}  // namespace wheelforge::cli
