// SPDX-License-Identifier: Apache-2.0
// Looking after a store: how much is in it, whether it is sound, and what may go.
//
// Whatever changes a store here holds the lock that every run takes when it starts, and there is
// no other run: so nothing that a run works with disappears under it, and none starts meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace wheelforge::store {

struct Part {
    std::string name;   ///< "entries", "trees", ...
    std::string about;  ///< what it holds, and what losing it costs
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
};
[[nodiscard]] std::vector<Part> measure(const fs::path& root);

/// What stands in a folder, sorted; nothing where there is no folder.
[[nodiscard]] std::vector<fs::path> children(const fs::path& folder);

/// Whether a folder of sources/ is one into which a run downloads, or did until it was killed.
[[nodiscard]] bool is_arriving(const fs::path& folder);

struct Defect {
    fs::path path;
    std::string what;
};
/// Reads everything: digests of wheels and sources, the inputs behind each key, remembered answers,
/// files nobody of us put there. Changes nothing and may run beside builds.
[[nodiscard]] std::vector<Defect> find_defects(const fs::path& root);

/// The right to remove things. Throws Error{surroundings} "cache-busy" while another run works
/// with the store.
class Custody {
public:
    explicit Custody(const Store& store);

private:
    FileLock starts_;  ///< held: no run starts
};

/// Removes what was found defective, wherever it is ours to make again; gives how many.
std::size_t remove_defects(const Custody&, const Store& store, const std::vector<Defect>& defects);

struct PruneRule {
    std::optional<std::chrono::hours> older_than;  ///< not used for so long
    std::optional<unsigned> keep;                  ///< wheels of each name, those used last
    bool dry_run = false;
};
/// What went (or would go): leftovers always, the rest by the rule.
[[nodiscard]] std::vector<Part> prune(const Custody&, const Store& store, const PruneRule& rule);

}  // namespace wheelforge::store
