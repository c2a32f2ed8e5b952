// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "config/lint.hpp"
#include "engine/source_tree.hpp"
#include "engine/tree_lint.hpp"
#include "variant/variant.hpp"

namespace wheelforge::cli {
namespace {

std::optional<std::string> given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

bool names_settings(const InputOptions& options) {
    return !options.settings_file.empty() || !options.settings_dir.empty()
           || !options.patches_dir.empty();
}

config::LintRequest settings_request(const InputOptions& options) {
    config::LintRequest request;
    request.sources.file = given(options.settings_file);
    request.sources.folder = given(options.settings_dir);
    request.sources.patches = given(options.patches_dir);
    request.known_variants = variant::known_variants();
    for (const auto& file : options.constraint_files) {
        const auto read = config::read_constraints_file(file);
        request.constraints.insert(
            request.constraints.end(), read.constraints.begin(), read.constraints.end()
        );
    }
    return request;
}

void print(const config::LintFinding& finding) {
    std::cout << (finding.is_error ? "error: " : "warning: ") << printable(finding.message) << " ["
              << finding.id << "]\n";
    for (const auto& advice : finding.advice) {
        std::cout << "    " << printable(advice) << "\n";
    }
}

/// @returns whether there are errors, with which nothing more can be looked at
bool lint_settings(const InputOptions& options) {
    const auto findings = config::lint(settings_request(options));
    std::for_each(findings.begin(), findings.end(), print);
    const auto errors = std::count_if(findings.begin(), findings.end(), [](const auto& each) {
        return each.is_error;
    });
    std::cout << "settings and patches: " << errors << (errors == 1 ? " error, " : " errors, ")
              << findings.size() - static_cast<std::size_t>(errors) << " warnings\n";
    return errors > 0;
}

void lint_tree(const std::string& word, InputOptions options) {
    const auto source = engine::SourceName::parse(word);
    options.requirements = {source.path.empty() ? word : "tree"};
    const auto request = make_request(options);
    const auto open = engine::open_source(source, request);
    std::cout << engine::lint_text(word, engine::lint_source(open, request));
}

int run(const InputOptions& options) {
    if (options.requirements.empty() && !names_settings(options)) {
        throw Error(ExitCode::usage, "nothing-to-do", "nothing says what to look at")
            .advise("name NAME==VERSION, an sdist or an unpacked source tree")
            .advise("or a tree of settings: --settings-dir DIR, --settings-file FILE, "
                    "--patches-dir DIR");
    }
    if (names_settings(options) && lint_settings(options)) {
        return static_cast<int>(ExitCode::usage);
    }
    for (const std::string& word : options.requirements) {
        lint_tree(word, options);
    }
    return 0;
}

}  // namespace

void register_lint(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "lint", "Find what is wrong with settings and patches, and variables used in vain"
    );
    auto options = std::make_shared<InputOptions>();
    add_input_options(*command, *options);
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
