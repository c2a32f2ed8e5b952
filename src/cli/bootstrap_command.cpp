// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/journal.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/summary.hpp"
#include "engine/bootstrap.hpp"
#include "engine/several_versions.hpp"

namespace wheelforge::cli {
namespace {

struct BootstrapOptions {
    InputOptions inputs;
    bool keep_going = false;
    bool plan = false;
    std::string events;
    bool multiple_versions = false;
    bool smoke = false;
};

engine::Report run_one(
    engine::BootstrapRequest& request, const BootstrapOptions& options, const SignalWatch& signals
) {
    request.keep_going = options.keep_going;
    request.plan_only = options.plan;
    request.smoke = options.smoke;
    request.stopped_by = [&signals] {
        return signals.caught() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
    };
    const Journal journal(request.output / request.here.variant.name);
    Watching watching(options.events, journal.observer());
    return options.multiple_versions
               ? engine::bootstrap_versions(request, watching.observer(), signals.token())
               : engine::bootstrap(request, watching.observer(), signals.token());
}

int run(const BootstrapOptions& options) {
    const SignalWatch signals;
    auto requests = make_requests(options.inputs);
    std::vector<engine::Report> reports;
    for (auto& request : requests) {
        reports.push_back(run_one(request, options, signals));
        if (requests.size() > 1) {
            std::cout << (reports.size() > 1 ? "\n" : "") << request.here.variant.name << ":\n";
        }
        print_summary(
            reports.back(), request.output.lexically_proximate(std::filesystem::current_path())
        );
        if (signals.token().stop_requested()) {
            break;
        }
    }
    if (requests.size() > 1) {
        engine::write_reports(requests.front().output, reports);
    }
    return static_cast<int>(engine::exit_code_of(reports));
}

}  // namespace

void register_bootstrap(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "bootstrap", "Resolve requirements and build everything they need from source"
    );
    auto options = std::make_shared<BootstrapOptions>();
    add_input_options(*command, options->inputs);
    command->add_flag(
        "--keep-going", options->keep_going, "after a failure, build what still can be"
    );
    command->add_flag("--plan", options->plan, "say what would be done; build nothing");
    add_rebuild_options(*command, options->inputs);
    command->add_flag(
        "--multiple-versions",
        options->multiple_versions,
        "build every version that is allowed of what is named, each with a set of its own"
    );
    command->add_flag(
        "--smoke",
        options->smoke,
        "import every wheel in an environment of its own; those that fail are refused"
    );
    command->add_option("--events", options->events, "append progress as JSON lines")
        ->type_name("FILE");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
