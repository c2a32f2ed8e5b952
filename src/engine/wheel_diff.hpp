// SPDX-License-Identifier: Apache-2.0
// Two wheels, or two build records, side by side: the inputs that differ, and of wheels the members
// that do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph_answers.hpp"
#include "engine/input_change.hpp"

namespace wheelforge::engine {

struct MemberChange {
    std::string path;
    std::string what;          ///< "added", "removed", "content", "mode"
    std::uint64_t before = 0;  ///< bytes
    std::uint64_t after = 0;
};
struct WheelDifference {
    /// nullopt: one of them was not sealed by wheelforge, so its inputs are not known.
    std::optional<std::vector<InputChange>> inputs;
    bool has_members = false;  ///< both are wheels
    bool same_bytes = false;   ///< of wheels
    /// By path; SBOMs, our record and RECORD, which follow from the rest, come last.
    std::vector<MemberChange> members;
};

/// Throws what opening wheels (Error{refused}) and records ("bad-record") throws.
[[nodiscard]] WheelDifference
compare_wheels(const std::filesystem::path& before, const std::filesystem::path& after);
[[nodiscard]] std::string
wheel_difference_answer(const WheelDifference& difference, AnswerFormat format);

}  // namespace wheelforge::engine
