// SPDX-License-Identifier: Apache-2.0
#include "cli/main.hpp"

#include <algorithm>
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/http.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace wheelforge::cli {
namespace {

int report_error(const Error& error) {
    std::cerr << error.render() << std::endl;
    return static_cast<int>(error.code());
}

/// Of a command, as they are written: "--output".
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
        for (const auto& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

/// What was probably meant by options that do not exist.
void advise_options(
    Error& error, const CLI::App& command, const std::vector<std::string>& arguments
) {
    const auto known = options_of(command);
    for (const auto& argument : arguments) {
        const auto name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) {
            continue;
        }
        for (const auto& near : nearest(name, known, 1)) {
            error.advise("did you mean " + near + "?");
        }
    }
}

/// What was mistyped may be a URL with a password.
std::string masked_words(std::string_view text) {
    std::vector<std::string> words;
    for (const auto word : split(text, ' ')) {
        words.push_back(masked_url(word));
    }
    return join(words, " ");
}

/// CLI11's own complaints, with the exit code and the hint our users get everywhere.
int report_usage(
    const CLI::App& app, const CLI::ParseError& problem, const std::vector<std::string>& arguments
) {
    if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return app.exit(problem, std::cout, std::cerr);  // --help, --version
    }
    Error error(ExitCode::usage, "bad-usage", printable(masked_words(problem.what())));
    std::vector<std::string> commands;
    for (const auto* command : app.get_subcommands(nullptr)) {
        commands.push_back(command->get_name());
    }
    const bool has_command =
        !arguments.empty()
        && std::find(commands.begin(), commands.end(), arguments.front()) != commands.end();
    if (!has_command && !arguments.empty()) {
        for (const auto& near : nearest(arguments.front(), commands)) {
            error.advise("did you mean 'wheelforge " + near + "'?");
        }
    }
    if (has_command) {
        advise_options(error, *app.get_subcommand(arguments.front()), arguments);
    }
    error.advise(
        "see wheelforge " + (has_command ? arguments.front() + " " : std::string()) + "--help"
    );
    return report_error(error);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    int exit_code = 0;
    CLI::App app("Rebuilds Python stacks from source, per accelerator.", "wheelforge");
    app.set_version_flag("--version", std::string("wheelforge ") + WHEELFORGE_VERSION);
    app.require_subcommand(1);
    register_bootstrap(app, exit_code);
    register_build(app, exit_code);
    register_cache(app, exit_code);
    register_check(app, exit_code);
    register_diff(app, exit_code);
    register_doctor(app, exit_code);
    register_drift(app, exit_code);
    register_env(app, exit_code);
    register_explain(app, exit_code);
    register_graph(app, exit_code);
    register_impact(app, exit_code);
    register_inspect(app, exit_code);
    register_lint(app, exit_code);
    register_log(app, exit_code);
    register_matrix(app, exit_code);
    register_pep(app, exit_code);
    register_plan(app, exit_code);
    register_resolve(app, exit_code);
    register_shell(app, exit_code);
    register_status(app, exit_code);
    register_unpack(app, exit_code);
    register_verify(app, exit_code);
    register_why_rebuilt(app, exit_code);
    auto arguments = command_first(app, {argv + 1, argv + argc});
    try {
        auto reversed = arguments;
        std::reverse(reversed.begin(), reversed.end());  // as CLI11 wants them
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError& problem) {
        return report_usage(app, problem, arguments);
    } catch (const Error& error) {
        return report_error(error);
    } catch (const std::exception& error) {
        return report_error(
            Error(ExitCode::bug, "internal-error", printable(error.what()))
                .advise("this is a bug of wheelforge: please report it with the command line")
        );
    }
    std::cout.flush();
    return exit_code;
}

}  // namespace wheelforge::cli
