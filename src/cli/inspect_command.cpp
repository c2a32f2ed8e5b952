// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <iterator>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "wheel/inspect.hpp"

namespace wheelforge::cli {
namespace {

struct InspectOptions {
    std::vector<std::string> files;
    std::string format = "table";
    bool weights = false;
};

int run(const InspectOptions& options) {
    wheel::InspectReport all;
    for (const std::string& file : options.files) {
        wheel::InspectReport one = wheel::inspect_path(file);
        std::move(one.files.begin(), one.files.end(), std::back_inserter(all.files));
    }
    std::cout
        << (options.format == "json" ? wheel::inspect_json(all, options.weights)
                                     : wheel::inspect_table(all, options.weights));
    return all.has_errors() ? static_cast<int>(ExitCode::refused) : 0;
}

}  // namespace

void register_inspect(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "inspect", "List the device code and ELF facts of wheels, sdists and binaries"
    );
    auto options = std::make_shared<InspectOptions>();
    command
        ->add_option(
            "FILE",
            options->files,
            "wheel, sdist, folder, .so, .o, .a, .co, .hsaco, .cubin, .fatbin, .ptx, .aks2, .kpack, "
            ".dat"
        )
        ->required();
    command->add_option("--format", options->format, "table or json")
        ->check(CLI::IsMember({"table", "json"}));
    command->add_flag(
        "--weights", options->weights, "also say how many bytes each section and arch takes"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
