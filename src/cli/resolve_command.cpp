// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"
#include "engine/lock_file.hpp"
#include "engine/resolution.hpp"
#include "engine/several_versions.hpp"

namespace wheelforge::cli {
namespace {

struct ResolveOptions {
    InputOptions inputs;
    bool runtime_only = false;
    bool multiple_versions = false;
    std::string format = "text";
};

void print_text(const engine::Resolved& resolved) {
    for (const auto& package : resolved.packages) {
        std::cout << package.name << "==" << package.version << "  # " << package.source << " "
                  << printable(package.filename.empty() ? package.url : package.filename)
                  << (package.exact ? "" : ", requirements estimated") << "\n";
    }
    for (const auto& [pin, tools] : resolved.builds) {
        if (!tools.empty()) {
            std::cout << "# " << pin << " is built with " << join(tools, " ") << "\n";
        }
    }
}

void write_files(
    const engine::Resolved& resolved, const std::filesystem::path& folder, bool several_versions
) {
    make_directories(folder);
    write_file(folder / "graph.json", engine::graph_json(resolved.graph));
    write_file(folder / "constraints.txt", engine::constraints_text(resolved));
    if (!several_versions) {
        write_file(folder / "pylock.toml", engine::pylock_text(resolved, folder));
    }
}

int run(const ResolveOptions& options) {
    const SignalWatch signals;
    auto request = make_request(options.inputs, Interpreter::may_be_absent);
    const auto folder = request.output;
    request.output = request.cache / "resolve";  // logs of builds that had to tell requirements
    request.versions_only = true;
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    ProgressLines lines;
    const auto solve = options.multiple_versions ? engine::resolve_versions : engine::resolve_only;
    const engine::ResolveDepth depth{options.runtime_only, !options.inputs.output.empty()};
    const auto resolved = solve(request, depth, lines, signals.token());
    if (options.format == "json") {
        std::cout << engine::resolved_json(resolved);
    } else if (!resolved.failure) {
        print_text(resolved);
    }
    if (resolved.failure) {
        print_failure(*resolved.failure);
    } else if (!options.inputs.output.empty()) {
        write_files(resolved, folder, options.multiple_versions);
    }
    return static_cast<int>(resolved.exit_code);
}

}  // namespace

void register_resolve(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "resolve", "Say which versions would be built, and with which tools; build nothing"
    );
    auto options = std::make_shared<ResolveOptions>();
    add_input_options(*command, options->inputs);
    command->add_flag(
        "--runtime-only", options->runtime_only, "the runtime set alone, no build scopes"
    );
    command->add_flag(
        "--multiple-versions",
        options->multiple_versions,
        "every version that is allowed of what is named, each resolved on its own"
    );
    command->add_option("--format", options->format, "how to print it")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
