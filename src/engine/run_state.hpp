// SPDX-License-Identifier: Apache-2.0
// What a run into an output folder does, or did: read from the journal that every run keeps there
// (<variant>/logs/events.jsonl, docs/formats/events.schema.json) and holds locked while it lives.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph_answers.hpp"

namespace wheelforge::engine {

/// Below the folder of a variant.
inline constexpr const char* journal_file = "logs/events.jsonl";

struct RunState {
    std::string variant;
    bool running = false;
    double seconds = 0;  ///< since it started; of one that ended, how long it took
    struct Active {
        std::string package;  ///< "name==version"
        std::string step;
        double seconds = 0;
    };
    std::vector<Active> active;           ///< under way, by package; of a dead run: where it was
    std::map<std::string, int> outcomes;  ///< of packages that are done
    std::vector<std::string> failed;      ///< "name==version: error-id"
    std::optional<int> exit_code;         ///< nullopt: running, or killed
};

/// One for each variant that has a journal. Throws Error{usage} "no-runs" when there is none.
[[nodiscard]] std::vector<RunState> run_states(const std::filesystem::path& output);
[[nodiscard]] std::string states_answer(const std::vector<RunState>& states, AnswerFormat format);

/// Whether a run holds the journal of this variant folder now.
[[nodiscard]] bool is_running(const std::filesystem::path& variant_folder);

/// Whether one holds that of any variant in this output folder.
[[nodiscard]] bool any_running(const std::filesystem::path& output);

/// The logs of NAME or NAME==VERSION, newest last. Throws Error{usage} "no-log" with near names.
[[nodiscard]] std::vector<std::filesystem::path>
logs_of(const std::filesystem::path& output, const std::string& name_or_pin);
/// The same; empty when there is none.
[[nodiscard]] std::vector<std::filesystem::path>
find_logs(const std::filesystem::path& output, const std::string& name_or_pin);

}  // namespace wheelforge::engine
