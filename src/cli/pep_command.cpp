// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "pep/json_lines.hpp"

namespace wheelforge::cli {

void register_pep(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "pep", "Answer packaging questions: JSON lines in, JSON lines out (docs/pep.md)"
    );
    auto kind = std::make_shared<std::string>();
    command->add_option("KIND", *kind, "what the lines are about")
        ->required()
        ->check(CLI::IsMember(
            {"version",
             "specifier",
             "marker",
             "requirement",
             "filename",
             "tags",
             "license",
             "build-system"}
        ));
    command->callback([kind, &exit_code] {
        for (std::string line; std::getline(std::cin, line);) {
            std::cout << pep::answer_json_line(*kind, line) << '\n';
        }
        exit_code = std::cout.good() ? 0 : static_cast<int>(ExitCode::surroundings);
    });
}

}  // namespace wheelforge::cli
