// SPDX-License-Identifier: Apache-2.0
// Questions to a graph: why something is in it, which names it has twice, what differs from
// another one. Pure; graphs may have cycles (Fromager's do), and answers do not depend on order.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph.hpp"

namespace wheelforge::engine {

/// What the roots of these variants reach; of all variants when none is named.
/// Throws Error{usage} "unknown-variant" for one that the graph does not have.
[[nodiscard]] Graph of_variants(Graph graph, const std::vector<std::string>& variants);

/// Keys of the nodes that NAME or NAME==VERSION means, sorted. Throws Error{usage} "unknown-node"
/// with near names when there is none.
[[nodiscard]] std::vector<std::string>
nodes_meant(const Graph& graph, const std::string& name_or_pin);

/// One edge of a chain; `from` is "" where a root asks.
struct ChainLink {
    std::string from;
    std::string to;
    std::string type;  ///< as GraphEdge; "root"
    std::string requirement;
    std::string origin;
    auto operator<=>(const ChainLink&) const = default;
};
using Chain = std::vector<ChainLink>;

struct Reasons {
    std::string key;
    struct PerVariant {
        std::string variant;
        Chain runtime;  ///< shortest of runtime edges only; empty: not in the runtime set
        Chain build;    ///< shortest through a build; empty: no build needs it
    };
    std::vector<PerVariant> variants;
    std::vector<ChainLink> wanted_by;  ///< every edge that leads to it, roots first
};
[[nodiscard]] Reasons reasons_of(const Graph& graph, const std::string& key);

/// Keys of what the roots reach by runtime edges.
[[nodiscard]] std::set<std::string> runtime_set(const Graph& graph);

struct Duplicate {
    std::string name;
    struct Wanted {
        std::string key;
        std::vector<ChainLink> by;
    };
    std::vector<Wanted> nodes;  ///< more than one
};
[[nodiscard]] std::vector<Duplicate> duplicates_of(const Graph& graph);

/// Which way a subset grows from the nodes that are named.
enum class Grow { both, dependencies, dependents };
/// Nodes named, what they need (transitively), and what needs them. Where no root is left,
/// the nodes named become roots.
[[nodiscard]] Graph subset_of(const Graph& graph, const std::vector<std::string>& names, Grow grow);

struct PinConflict {
    std::string name;
    std::vector<Duplicate::Wanted> versions;
};
struct Pins {
    std::vector<std::pair<std::string, std::string>> pins;  ///< name, version; sorted
    std::vector<PinConflict> conflicts;  ///< names whose versions cannot be reduced to one
};
/// The runtime set as constraints. Where it has several versions of a name, the highest that
/// satisfies all runtime requirements is taken.
[[nodiscard]] Pins pins_of(const Graph& graph);

}  // namespace wheelforge::engine
