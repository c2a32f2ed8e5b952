// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a package in how it is built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wheel/source_tree/tree_facts.hpp"

namespace wheelforge::engine {

/// What came and what went of one kind, by text.
struct DriftOf {
    std::string kind;  ///< "variables", "build requirements", "submodules", "downloads", "archs"
    std::vector<wheel::Mention> came;
    std::vector<wheel::Mention> went;
};

/// A variable that went and one that came whose names are alike.
struct RenameCandidate {
    std::string from;
    std::string to;
};

struct Drift {
    std::vector<DriftOf> kinds;  ///< always all five, in that order
    std::vector<RenameCandidate> renames;
    [[nodiscard]] bool empty() const noexcept;
};

[[nodiscard]] Drift drift(const wheel::TreeFacts& before, const wheel::TreeFacts& after);

/// For people.
[[nodiscard]] std::string drift_text(const Drift& drift);
/// JSON as docs/formats/drift.schema.json says.
[[nodiscard]] std::string drift_json(
    const Drift& drift, const std::string& name, const std::string& from, const std::string& to
);

}  // namespace wheelforge::engine
