// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Each registers itself with its options; when it is the one chosen
// its callback does the work and leaves the exit code.
#pragma once

namespace CLI {
class App;
}

namespace wheelforge::cli {

void register_bootstrap(CLI::App& app, int& exit_code);
void register_build(CLI::App& app, int& exit_code);
void register_cache(CLI::App& app, int& exit_code);
void register_check(CLI::App& app, int& exit_code);
void register_diff(CLI::App& app, int& exit_code);
void register_doctor(CLI::App& app, int& exit_code);
void register_drift(CLI::App& app, int& exit_code);
void register_env(CLI::App& app, int& exit_code);
void register_explain(CLI::App& app, int& exit_code);
void register_graph(CLI::App& app, int& exit_code);
void register_impact(CLI::App& app, int& exit_code);
void register_inspect(CLI::App& app, int& exit_code);
void register_lint(CLI::App& app, int& exit_code);
void register_log(CLI::App& app, int& exit_code);
void register_matrix(CLI::App& app, int& exit_code);
void register_pep(CLI::App& app, int& exit_code);
void register_plan(CLI::App& app, int& exit_code);
void register_resolve(CLI::App& app, int& exit_code);
void register_shell(CLI::App& app, int& exit_code);
void register_status(CLI::App& app, int& exit_code);
void register_unpack(CLI::App& app, int& exit_code);
void register_verify(CLI::App& app, int& exit_code);
void register_why_rebuilt(CLI::App& app, int& exit_code);

}  // namespace wheelforge::cli
