// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/text.hpp"
#include "engine/graph_answers.hpp"

namespace wheelforge::engine {
namespace {

/// A quoted string of the DOT language: its quote and backslash are escaped, and control characters
/// and what is no UTF-8 are made visible first.
std::string quoted(const std::string& text) {
    auto safe = replace_all(printable(text), "\\", "\\\\");
    return "\"" + replace_all(std::move(safe), "\"", "\\\"") + "\"";
}

std::string label_of(const GraphNode& node, const std::string& name) {
    auto label = quoted(node.name);
    label.pop_back();
    auto rest = quoted(name.substr(std::min(name.size(), node.name.size() + 1)));
    return label + "\\n" + rest.substr(1);
}

}  // namespace

std::string dot_of(const Graph& graph, bool with_builds) {
    const auto runtime = runtime_set(graph);
    const NodeNames names(graph);
    std::set<std::string> roots;
    for (const auto& root : graph.roots) {
        roots.insert(root.to);
    }
    std::string text = "digraph wheelforge {\n  rankdir=LR;\n  node [shape=oval];\n";
    const auto is_shown = [&](const std::string& key) {
        return with_builds || runtime.contains(key);
    };
    for (const auto& [key, node] : graph.nodes) {
        if (is_shown(key)) {
            text += fmt::format(
                "  {} [label={}{}{}{}];\n",
                quoted(key),
                label_of(node, names.of(key)),
                node.source_kind == "wheel" ? ", shape=box" : "",
                roots.contains(key) ? ", penwidth=2" : "",
                runtime.contains(key) ? "" : ", style=dashed"
            );
        }
    }
    for (const auto& [key, node] : graph.nodes) {
        for (const auto& edge : node.edges) {
            const bool is_runtime = edge.type == "runtime";
            if (is_shown(key) && is_shown(edge.to) && (with_builds || is_runtime)) {
                text += fmt::format(
                    "  {} -> {} [tooltip={}{}];\n",
                    quoted(key),
                    quoted(edge.to),
                    quoted(edge.requirement),
                    is_runtime ? "" : ", style=dotted"
                );
            }
        }
    }
    return text + "}\n";
}

}  // namespace wheelforge::engine
