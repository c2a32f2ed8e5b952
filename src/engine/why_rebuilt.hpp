// SPDX-License-Identifier: Apache-2.0
// Why the wheels of an output folder were built again: the record of each wheel against that of
// the build before it, which the output folder keeps in records/previous/.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/graph_answers.hpp"
#include "engine/input_change.hpp"
#include "engine/record_read.hpp"

namespace wheelforge::engine {

struct RebuildReason {
    std::string name;
    std::string version;
    std::string previous_version;  ///< "": no earlier build is recorded
    std::string variant;
    std::vector<InputChange> changes;       ///< none though there was an earlier build: same inputs
    std::vector<RebuildReason> because_of;  ///< rebuilt wheels of its environment, each told once
};

/// One for each node of that name in the graph of `output`. Throws Error{usage} "unknown-node" and
/// what load_graph throws.
[[nodiscard]] std::vector<RebuildReason>
why_rebuilt(const std::filesystem::path& output, const std::string& name);

[[nodiscard]] std::string
rebuilt_answer(const std::vector<RebuildReason>& rebuilds, AnswerFormat format);

/// Of the records in `folder` and in its previous/, the one a build of this name and version with
/// another key came after: same version first, else the newest. nullopt when there is none.
[[nodiscard]] std::optional<Record> record_before(
    const std::filesystem::path& folder,
    const Record& now,
    const std::set<std::string>& current_keys
);

}  // namespace wheelforge::engine
