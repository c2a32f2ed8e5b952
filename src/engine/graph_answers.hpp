// SPDX-License-Identifier: Apache-2.0
// Answers to questions about graphs as people (text) and programs (JSON, docs/graph.md) read them.
#pragma once

#include <string>
#include <vector>

#include "engine/graph_diff.hpp"
#include "engine/graph_query.hpp"

namespace wheelforge::engine {

enum class AnswerFormat { text, json };

/// How a node is called where people read: "name version", with digits of its inputs where several
/// nodes have both.
class NodeNames {
public:
    explicit NodeNames(const Graph& graph);
    [[nodiscard]] std::string of(const std::string& key) const;

private:
    std::map<std::string, std::string> names_;
};

[[nodiscard]] std::string
why_answer(const Graph& graph, const std::vector<std::string>& keys, AnswerFormat format);
[[nodiscard]] std::string duplicates_answer(const Graph& graph, AnswerFormat format);
[[nodiscard]] std::string diff_answer(const GraphDifference& difference, AnswerFormat format);
/// constraints.txt, or the pins and conflicts as JSON.
[[nodiscard]] std::string pins_answer(const Pins& pins, AnswerFormat format);
/// The conflicts as prose; "" when there is none.
[[nodiscard]] std::string conflicts_prose(const Pins& pins, const Graph& graph);

/// Graphviz: runtime edges solid, build edges dotted, roots bold, wheels taken as they are as
/// boxes.
/// @param with_builds  false: the runtime set alone
[[nodiscard]] std::string dot_of(const Graph& graph, bool with_builds);

}  // namespace wheelforge::engine
