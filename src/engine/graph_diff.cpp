// SPDX-License-Identifier: Apache-2.0
#include "engine/graph_diff.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

using TextSet = std::set<std::string>;

std::vector<std::string> minus(const TextSet& all, const TextSet& without) {
    std::vector<std::string> rest;
    std::set_difference(
        all.begin(), all.end(), without.begin(), without.end(), std::back_inserter(rest)
    );
    return rest;
}

/// All nodes of one name and version: there are several when their inputs differ.
struct Group {
    TextSet sources;
    TextSet inputs;
    TextSet edges;
};

std::map<std::string, std::map<std::string, Group>> groups_of(const Graph& graph) {
    std::map<std::string, std::map<std::string, Group>> groups;
    for (const auto& [key, node] : graph.nodes) {
        auto& group = groups[node.name][node.version];
        group.sources.insert(
            node.source_kind + " " + node.filename
            + (node.sha256.empty() ? "" : " sha256 " + node.sha256)
        );
        if (!node.inputs.empty()) {
            group.inputs.insert(node.inputs);
        }
        for (const auto& edge : node.edges) {
            group.edges.insert(edge.type + ": " + edge.requirement + " -> " + plain_key(edge.to));
        }
    }
    return groups;
}

TextSet roots_of(const Graph& graph) {
    TextSet texts;
    for (const auto& root : graph.roots) {
        texts.insert(root.requirement + " (" + root.origin + ") -> " + plain_key(root.to));
    }
    return texts;
}

std::string text_of(const TextSet& texts) {
    const std::vector<std::string> all(texts.begin(), texts.end());
    return join(all, ", ");
}

void compare(
    const std::string& name,
    const std::string& version,
    const Group& before,
    const Group& after,
    GraphDifference& difference
) {
    GraphDifference::Node node;
    node.name = name;
    node.version = version;
    if (before.sources != after.sources) {
        node.before_source = text_of(before.sources);
        node.after_source = text_of(after.sources);
    }
    if (before.inputs != after.inputs) {
        node.before_inputs = text_of(before.inputs);
        node.after_inputs = text_of(after.inputs);
    }
    node.edges_gone = minus(before.edges, after.edges);
    node.edges_new = minus(after.edges, before.edges);
    const bool same = before.sources == after.sources && before.inputs == after.inputs
                      && node.edges_gone.empty() && node.edges_new.empty();
    if (!same) {
        difference.nodes.push_back(std::move(node));
    }
}

}  // namespace

GraphDifference difference(const Graph& before, const Graph& after) {
    auto old_groups = groups_of(before);
    auto new_groups = groups_of(after);
    TextSet names;
    for (const auto* groups : {&old_groups, &new_groups}) {
        for (const auto& [name, versions] : *groups) {
            names.insert(name);
        }
    }
    GraphDifference result;
    for (const auto& name : names) {
        const auto& old_versions = old_groups[name];
        const auto& new_versions = new_groups[name];
        GraphDifference::Version changed{name, {}, {}};
        for (const auto& [version, group] : old_versions) {
            changed.before.push_back(version);
            if (const auto same = new_versions.find(version); same != new_versions.end()) {
                compare(name, version, group, same->second, result);
            }
        }
        for (const auto& [version, group] : new_versions) {
            changed.after.push_back(version);
        }
        if (changed.before != changed.after) {
            result.versions.push_back(std::move(changed));
        }
    }
    result.roots_gone = minus(roots_of(before), roots_of(after));
    result.roots_new = minus(roots_of(after), roots_of(before));
    return result;
}

}  // namespace wheelforge::engine
