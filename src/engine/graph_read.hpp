// SPDX-License-Identifier: Apache-2.0
// Reading graphs: ours (docs/formats/graph.schema.json, format 1) and Fromager's graph.json
// (0.101). Both are text from outside: wrong types, missing nodes, doubled ids and nodes under
// another's key are refused with the place in the document ("nodes[3].edges[1].to").
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/graph.hpp"

namespace wheelforge::engine {

enum class GraphFormat { ours, fromager };

struct ReadGraph {
    GraphFormat format = GraphFormat::ours;
    Graph graph;  ///< of Fromager: the variant is "", install edges are "runtime"
};

/// Which of the two it is shows in the document.
/// @param origin  names the text in errors
/// Throws Error{usage} "bad-graph".
[[nodiscard]] ReadGraph read_graph(std::string_view json, const std::string& origin);
/// Throws Error{usage} "file-not-found" with the ways to a graph, too.
[[nodiscard]] ReadGraph load_graph(const std::filesystem::path& path);

/// nullopt for anything that is not a graph of ours, format 1.
[[nodiscard]] std::optional<Graph> parse_graph(std::string_view json);

/// The bytes of a graph in the format it was read in.
[[nodiscard]] std::string write_graph(const ReadGraph& graph);

}  // namespace wheelforge::engine
