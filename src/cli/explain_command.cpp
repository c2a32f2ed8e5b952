// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/catalogue.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "build/causes.hpp"
#include "cli/commands.hpp"
#include "wheel/verify/catalogue.hpp"

namespace wheelforge::cli {
namespace {

int explain_id(const std::string& id) {
    if (const auto entry = explain(id)) {
        std::cout << id << " (exit " << entry->exit << ")\n\n" << entry->meaning << "\n";
        if (!entry->advice.empty()) {
            std::cout << "\nWhat to do: " << entry->advice << "\n";
        }
        return 0;
    }
    if (const auto check = wheel::explain_check(id)) {
        std::cout << *check;
        return 0;
    }
    if (const auto cause = build::explain_cause(id)) {
        std::cout << *cause;
        return 0;
    }
    auto ids = error_ids();
    for (const auto& more : {wheel::check_ids(), build::cause_ids()}) {
        ids.insert(ids.end(), more.begin(), more.end());
    }
    Error error(
        ExitCode::usage, "unknown-id", "there is no error or check '" + printable(id) + "'"
    );
    for (const auto& near : nearest(id, ids)) {
        error.advise("did you mean " + near + "?");
    }
    throw error;
}

}  // namespace

void register_explain(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("explain", "Say what an error or a check means");
    auto id = std::make_shared<std::string>();
    command->add_option("ID", *id, "as it stands in brackets behind a message")->required();
    command->callback([id, &exit_code] { exit_code = explain_id(*id); });
}

}  // namespace wheelforge::cli
