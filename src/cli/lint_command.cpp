// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "engine/source_tree.hpp"
#include "engine/tree_lint.hpp"

namespace wheelforge::cli {
namespace {

int run(const InputOptions& options) {
    if (options.requirements.empty()) {
        throw Error(ExitCode::usage, "nothing-to-do", "nothing says what to look at")
            .advise("name NAME==VERSION, an sdist or an unpacked source tree");
    }
    for (const std::string& word : options.requirements) {
        const auto source = engine::SourceName::parse(word);
        InputOptions inputs = options;
        inputs.requirements = {source.path.empty() ? word : "tree"};
        const auto request = make_request(inputs);
        const auto open = engine::open_source(source, request);
        std::cout << engine::lint_text(word, engine::lint_source(open, request));
    }
    return 0;
}

}  // namespace

void register_lint(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("lint", "Read source trees for variables that are set or read in vain");
    auto options = std::make_shared<InputOptions>();
    add_input_options(*command, *options);
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
