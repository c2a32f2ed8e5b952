// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "build/sandbox.hpp"
#include "cli/commands.hpp"
#include "cli/variant_options.hpp"
#include "engine/doctor.hpp"
#include "index/pip_config.hpp"
#include "store/store.hpp"

namespace wheelforge::cli {
namespace {

struct DoctorOptions {
    VariantOptions variant;
    std::vector<std::string> packages;
    std::string cache_dir;
    std::string output = "out";
    bool offline = false;
};

void look_at_python(const DoctorOptions& options, engine::DoctorQuestion& question) {
    const auto callers = current_environment();
    const auto path = callers.find("PATH");
    try {
        question.interpreter = build::probe_interpreter(
            options.variant.python, path == callers.end() ? std::string() : path->second
        );
        index::PipConfigInput input;
        input.env = callers;
        input.interpreter = question.interpreter->executable;
        question.index = index::pip_index_settings(input);
    } catch (const Error& error) {
        question.no_interpreter = error.message();
        question.no_interpreter_mend = error.advice();
        question.index.no_index = true;
    }
    question.index.offline = options.offline;
}

int run(const DoctorOptions& options) {
    const auto looked = look_at_variant(options.variant);
    engine::DoctorQuestion question{
        looked.here, looked.settings, options.packages, {}, {}, {}, {}, {}, {}, {}
    };
    question.cache = options.cache_dir.empty() ? store::default_cache_directory()
                                               : fs::absolute(options.cache_dir);
    question.output = fs::absolute(options.output);
    question.sandbox = build::probe_sandbox();
    look_at_python(options, question);
    const auto diagnoses = engine::examine(question);
    std::cout << engine::render_diagnoses(looked.here, diagnoses, options.variant.format == "json");
    return engine::is_fit(diagnoses) ? 0 : static_cast<int>(ExitCode::usage);
}

}  // namespace

void register_doctor(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "doctor", "Look whether this machine can build for a variant, and say what mends it"
    );
    auto options = std::make_shared<DoctorOptions>();
    options->variant.format = "table";
    command->add_option(
        "REQ",
        options->packages,
        "packages whose needs count too: NAME, NAME==VERSION, a folder or an sdist"
    );
    add_variant_options(*command, options->variant, {"table", "json"});
    command->add_option("--cache-dir", options->cache_dir, "where wheels and sources are kept")
        ->type_name("DIR");
    command->add_option("-o,--output", options->output, "output folder")->type_name("DIR");
    command->add_flag("--offline", options->offline, "do not ask the index");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
