// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "engine/impact.hpp"

namespace wheelforge::cli {

void register_impact(CLI::App& app, int& exit_code) {
    struct Options {
        std::string change;
        std::string output = "out";
        std::vector<std::string> variants;
        std::string format = "text";
    };
    auto* command =
        app.add_subcommand("impact", "Say what a change would have built again, and why");
    auto options = std::make_shared<Options>();
    command->add_option("--change", options->change, "rocm=7.2, or NAME==VERSION")
        ->required()
        ->type_name("CHANGE");
    command->add_option("-o,--output", options->output, "output folder")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_option("--variant", options->variants, "only this variant")
        ->allow_extra_args(false)
        ->type_name("NAME");
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command->callback([options, &exit_code] {
        const auto format =
            options->format == "json" ? engine::AnswerFormat::json : engine::AnswerFormat::text;
        std::cout << engine::impact_answer(
            engine::impact_of(
                options->output, options->variants, engine::PlannedChange::parse(options->change)
            ),
            format
        );
        exit_code = 0;
    });
}

}  // namespace wheelforge::cli
