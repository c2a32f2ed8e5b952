// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "engine/why_rebuilt.hpp"

namespace wheelforge::cli {

void register_why_rebuilt(CLI::App& app, int& exit_code) {
    struct Options {
        std::string name;
        std::string output = "out";
        std::string format = "text";
    };
    auto* command =
        app.add_subcommand("why-rebuilt", "Say which inputs changed since the build before");
    auto options = std::make_shared<Options>();
    command->add_option("NAME", options->name, "NAME or NAME==VERSION")->required();
    command->add_option("-o,--output", options->output, "output folder")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command->callback([options, &exit_code] {
        const auto format =
            options->format == "json" ? engine::AnswerFormat::json : engine::AnswerFormat::text;
        std::cout << engine::rebuilt_answer(
            engine::why_rebuilt(options->output, options->name), format
        );
        exit_code = 0;
    });
}

}  // namespace wheelforge::cli
