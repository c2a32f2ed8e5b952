// SPDX-License-Identifier: Apache-2.0
// What a change would cause: which wheels of an output folder would have to be built again and why,
// before anything is done. Read from its graph and records.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph_answers.hpp"

namespace wheelforge::engine {

/// "rocm=7.2": something of the toolchain; "torch==2.11": a version of a package.
struct PlannedChange {
    std::string subject;
    std::string value;
    bool is_package = false;
    /// Throws Error{usage} "bad-usage".
    [[nodiscard]] static PlannedChange parse(const std::string& text);
};

struct Affected {
    std::string name;
    std::string version;
    std::string why;                ///< "rocm is among its inputs: variable ROCM_PATH"
    bool strong = true;             ///< false: --rebuild strong reuses it and lists the drift
    std::optional<double> seconds;  ///< wall time of its last build, from its record
};
struct Impact {
    std::string variant;
    std::vector<Affected> affected;  ///< in the order of the graph, causes before effects
    std::size_t untouched = 0;
    bool new_stack = false;  ///< others match at run time what changes; else an update
    std::string because;     ///< of new_stack or not
};

/// One for each variant that the change reaches. Throws what load_graph throws, and "unknown-node".
[[nodiscard]] std::vector<Impact> impact_of(
    const std::filesystem::path& output,
    const std::vector<std::string>& variants,
    const PlannedChange& change
);
[[nodiscard]] std::string impact_answer(const std::vector<Impact>& impacts, AnswerFormat format);

}  // namespace wheelforge::engine
