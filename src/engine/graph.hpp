// SPDX-License-Identifier: Apache-2.0
// out/graph.json (docs/formats/graph.schema.json): every node of the runtime set and the build
// scopes, for all variants built into one output folder. The same resolution gives the same bytes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/job.hpp"
#include "pep/tags.hpp"
#include "resolve/resolver.hpp"

namespace wheelforge::engine {

struct GraphTarget {
    std::string variant;
    std::string python;
    std::string machine;
    std::string glibc;
    auto operator<=>(const GraphTarget&) const = default;
};
struct GraphEdge {
    std::string to;    ///< key of a node
    std::string type;  ///< runtime, build-system, build-backend; in Fromager's also build-sdist
    std::string requirement;
    std::string origin;
    /// A node that several variants share may need other things in each: those that have this edge.
    /// Empty: all of them.
    std::set<std::string> variants = {};

    [[nodiscard]] bool holds_for(const std::string& variant) const {
        return variants.empty() || variants.contains(variant);
    }
    auto operator<=>(const GraphEdge&) const = default;
};
struct GraphNode {
    std::string name;
    std::string version;
    std::string inputs;       ///< build key, "" if none
    std::string source_kind;  ///< sdist, wheel
    std::string filename;
    std::string url;
    std::string sha256;
    std::vector<std::string> extras;
    std::string constraint;  ///< Fromager's graphs alone tell
    std::vector<GraphEdge> edges;
    /// Tells nodes apart inside one Graph: name==version, with "#" and the inputs behind it.
    [[nodiscard]] std::string key() const;
};
/// "name==version" of a node's key, which is Fromager's key of it.
[[nodiscard]] std::string plain_key(std::string_view key);
struct GraphRoot {
    std::string variant;
    std::string to;
    std::string requirement;
    std::string origin;
    auto operator<=>(const GraphRoot&) const = default;
};
struct Graph {
    std::vector<GraphTarget> targets;
    std::vector<GraphRoot> roots;
    std::map<std::string, GraphNode> nodes;  ///< by key

    /// Arrays sorted, equal edges once: what makes the bytes of equal graphs equal.
    void tidy();
    /// Nodes that no root reaches go, and what edges say of variants that do not reach their node.
    void drop_unreachable();
    /// Name -> versions, highest first, of all nodes: what build scopes prefer next time.
    [[nodiscard]] std::vector<std::map<std::string, pep::Version>> preferences() const;
};

/// The graph of one finished run.
[[nodiscard]] Graph make_graph(
    const std::string& variant,
    const pep::Target& target,
    const resolve::Resolution& runtime,
    const std::map<plugin::PackageId, Job>& jobs
);
/// Adds the nodes and roots of another run for the same target.
void unite(Graph& graph, Graph more);
/// `fresh` replaces its own variant in `before`; nodes that no root reaches any more are dropped.
[[nodiscard]] Graph merge(Graph before, Graph fresh);

[[nodiscard]] std::string graph_json(const Graph& graph);
/// The same as Fromager 0.101 writes it: what a build environment was made of in turn becomes
/// "install" edges of the tools; nodes that differ by inputs alone become one.
[[nodiscard]] std::string fromager_graph_json(const Graph& graph);

}  // namespace wheelforge::engine
