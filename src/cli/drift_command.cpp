// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "engine/source_tree.hpp"
#include "engine/tree_drift.hpp"

namespace wheelforge::cli {
namespace {

struct DriftOptions {
    InputOptions inputs;
    std::string name;
    std::string before;
    std::string after;
    std::string format = "text";
};

/// A version of NAME, or an sdist or folder.
engine::SourceName source_of(const std::string& name, const std::string& word) {
    return engine::SourceName::parse(fs::exists(word) ? word : name + "==" + word);
}

int run(DriftOptions options) {
    options.inputs.requirements = {options.name};
    const auto request = make_request(options.inputs);
    const auto before = engine::open_source(source_of(options.name, options.before), request);
    const auto after = engine::open_source(source_of(options.name, options.after), request);
    const auto drift = engine::drift(
        wheel::read_tree(wheel::files_of_folder(before.tree)),
        wheel::read_tree(wheel::files_of_folder(after.tree))
    );
    std::cout
        << (options.format == "json"
                ? engine::drift_json(drift, options.name, options.before, options.after)
                : engine::drift_text(drift));
    return 0;
}

}  // namespace

void register_drift(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "drift", "Say what changed between two versions in how a package is built"
    );
    auto options = std::make_shared<DriftOptions>();
    command->add_option("NAME", options->name, "the distribution")->required();
    command->add_option("FROM", options->before, "version, sdist or unpacked tree")->required();
    command->add_option("TO", options->after, "version, sdist or unpacked tree")->required();
    add_index_options(*command, options->inputs);
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
