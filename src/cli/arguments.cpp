// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"

#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>

namespace wheelforge::cli {
namespace {

std::set<std::string> options_with_value(const CLI::App& app) {
    std::set<std::string> names;
    for (const auto* command : app.get_subcommands(nullptr)) {
        for (const auto* option : command->get_options()) {
            if (option->get_type_size_max() == 0 || option->get_positional()) {
                continue;
            }
            for (const auto& name : option->get_lnames()) {
                names.insert("--" + name);
            }
            for (const auto& name : option->get_snames()) {
                names.insert("-" + name);
            }
        }
    }
    return names;
}

bool is_command(const CLI::App& app, const std::string& word) {
    const auto commands = app.get_subcommands(nullptr);
    return std::any_of(commands.begin(), commands.end(), [&](const auto* command) {
        return command->get_name() == word;
    });
}

}  // namespace

std::vector<std::string> command_first(const CLI::App& app, std::vector<std::string> arguments) {
    const auto with_value = options_with_value(app);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& word = arguments[i];
        if (word == "--") {
            break;
        }
        if (with_value.contains(word)) {
            ++i;  // its value is no command, whatever it is called
        } else if (!word.starts_with('-')) {
            if (is_command(app, word)) {
                const auto place = arguments.begin() + static_cast<std::ptrdiff_t>(i);
                std::rotate(arguments.begin(), place, place + 1);
            }
            break;
        }
    }
    return arguments;
}

}  // namespace wheelforge::cli
