// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "engine/wheel_diff.hpp"

namespace wheelforge::cli {

void register_diff(CLI::App& app, int& exit_code) {
    struct Options {
        std::string before;
        std::string after;
        std::string format = "text";
    };
    auto* command =
        app.add_subcommand("diff", "Compare two wheels, or two build records: inputs and members");
    auto options = std::make_shared<Options>();
    command->add_option("A", options->before, "wheel or record")->required();
    command->add_option("B", options->after, "wheel or record")->required();
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command->callback([options, &exit_code] {
        const auto format =
            options->format == "json" ? engine::AnswerFormat::json : engine::AnswerFormat::text;
        std::cout << engine::wheel_difference_answer(
            engine::compare_wheels(options->before, options->after), format
        );
        exit_code = 0;
    });
}

}  // namespace wheelforge::cli
