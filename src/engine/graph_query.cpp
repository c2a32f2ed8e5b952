// SPDX-License-Identifier: Apache-2.0
#include "engine/graph_query.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::engine {
namespace {

/// A node, reached by runtime edges only or with a build on the way.
using Spot = std::pair<std::string, bool>;

/// Shortest ways from the roots of one variant to every node, of both kinds.
class Ways {
public:
    Ways(const Graph& graph, const std::string& variant) {
        for (const auto& root : graph.roots) {
            if (root.variant == variant) {
                visit(
                    {root.to, false},
                    {"", false},
                    {"", root.to, "root", root.requirement, root.origin}
                );
            }
        }
        while (!open_.empty()) {
            const auto spot = open_.front();
            open_.pop_front();
            const auto node = graph.nodes.find(spot.first);
            if (node == graph.nodes.end()) {
                continue;
            }
            for (const auto& edge : node->second.edges) {
                if (!edge.holds_for(variant)) {
                    continue;
                }
                visit(
                    {edge.to, spot.second || edge.type != "runtime"},
                    spot,
                    {spot.first, edge.to, edge.type, edge.requirement, edge.origin}
                );
            }
        }
    }

    [[nodiscard]] Chain to(const std::string& key, bool through_build) const {
        Chain chain;
        Spot spot{key, through_build};
        for (auto step = reached_.find(spot); step != reached_.end();
             step = reached_.find(step->second.first)) {
            chain.push_back(step->second.second);
            if (chain.back().from.empty()) {
                break;
            }
        }
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

private:
    void visit(const Spot& spot, const Spot& from, ChainLink link) {
        if (reached_.try_emplace(spot, from, std::move(link)).second) {
            open_.push_back(spot);
        }
    }

    std::map<Spot, std::pair<Spot, ChainLink>> reached_;
    std::deque<Spot> open_;
};

/// Everything reachable from `start` by edges that `follow` accepts.
template <typename Follow>
std::set<std::string>
reachable(const Graph& graph, std::vector<std::string> open, const Follow& follow) {
    std::set<std::string> reached;
    while (!open.empty()) {
        const auto key = std::move(open.back());
        open.pop_back();
        const auto node = graph.nodes.find(key);
        if (node == graph.nodes.end() || !reached.insert(key).second) {
            continue;
        }
        for (const auto& edge : node->second.edges) {
            if (follow(edge)) {
                open.push_back(edge.to);
            }
        }
    }
    return reached;
}

std::vector<std::string> root_keys(const Graph& graph) {
    std::vector<std::string> keys;
    for (const auto& root : graph.roots) {
        keys.push_back(root.to);
    }
    return keys;
}

std::map<std::string, std::vector<ChainLink>> links_by_target(const Graph& graph) {
    std::map<std::string, std::vector<ChainLink>> links;
    for (const auto& root : graph.roots) {
        links[root.to].push_back({"", root.to, "root", root.requirement, root.origin});
    }
    for (const auto& [key, node] : graph.nodes) {
        for (const auto& edge : node.edges) {
            links[edge.to].push_back({key, edge.to, edge.type, edge.requirement, edge.origin});
        }
    }
    return links;
}

/// Everything from which `start` can be reached.
std::set<std::string> dependents(const Graph& graph, std::vector<std::string> open) {
    const auto links = links_by_target(graph);
    std::set<std::string> reached;
    while (!open.empty()) {
        const auto key = std::move(open.back());
        open.pop_back();
        if (key.empty() || !reached.insert(key).second) {
            continue;
        }
        const auto found = links.find(key);
        if (found != links.end()) {
            for (const auto& link : found->second) {
                open.push_back(link.from);
            }
        }
    }
    return reached;
}

bool satisfies(const std::string& version, const std::string& requirement) {
    const auto parsed = pep::Requirement::parse(requirement);
    const auto number = pep::Version::parse(version);
    return parsed && number && parsed->specifier.contains(*number);
}

/// Highest first; what is no version comes last, by its text.
bool is_higher(const GraphNode& a, const GraphNode& b) {
    const auto left = pep::Version::parse(a.version);
    const auto right = pep::Version::parse(b.version);
    if (left && right && *left != *right) {
        return *left > *right;
    }
    return left.has_value() != right.has_value() ? left.has_value() : a.key() < b.key();
}

std::map<std::string, std::vector<const GraphNode*>> nodes_by_name(const Graph& graph) {
    std::map<std::string, std::vector<const GraphNode*>> names;
    for (const auto& [key, node] : graph.nodes) {
        names[node.name].push_back(&node);
    }
    for (auto& [name, nodes] : names) {
        std::sort(nodes.begin(), nodes.end(), [](const auto* a, const auto* b) {
            return is_higher(*a, *b);
        });
    }
    return names;
}

/// Edges and nodes that runtime requirements alone lead to.
Graph runtime_graph(const Graph& graph) {
    const auto kept = runtime_set(graph);
    Graph result = graph;
    std::erase_if(result.nodes, [&](const auto& each) { return !kept.contains(each.first); });
    for (auto& [key, node] : result.nodes) {
        std::erase_if(node.edges, [](const auto& edge) { return edge.type != "runtime"; });
    }
    return result;
}

std::optional<std::string>
common_version(const std::vector<const GraphNode*>& nodes, const std::vector<ChainLink>& wishes) {
    for (const auto* node : nodes) {
        const bool fits = std::all_of(wishes.begin(), wishes.end(), [&](const auto& wish) {
            return satisfies(node->version, wish.requirement);
        });
        if (fits) {
            return node->version;
        }
    }
    return std::nullopt;
}

}  // namespace

Graph of_variants(Graph graph, const std::vector<std::string>& variants) {
    if (variants.empty()) {
        return graph;
    }
    std::vector<std::string> known;
    for (const auto& target : graph.targets) {
        known.push_back(target.variant);
    }
    for (const auto& variant : variants) {
        if (std::find(known.begin(), known.end(), variant) == known.end()) {
            throw Error(
                ExitCode::usage,
                "unknown-variant",
                "the graph has no variant '" + printable(variant) + "'"
            )
                .advise(
                    known == std::vector<std::string>{""}
                        ? "graphs of Fromager know no variants: leave --variant out"
                        : "it has " + join(known, ", ")
                );
        }
    }
    const auto is_other = [&](const std::string& variant) {
        return std::find(variants.begin(), variants.end(), variant) == variants.end();
    };
    std::erase_if(graph.targets, [&](const auto& target) { return is_other(target.variant); });
    std::erase_if(graph.roots, [&](const auto& root) { return is_other(root.variant); });
    graph.drop_unreachable();
    return graph;
}

std::vector<std::string> nodes_meant(const Graph& graph, const std::string& name_or_pin) {
    const auto equal = name_or_pin.find("==");
    const auto name = pep::normalize_name(name_or_pin.substr(0, equal));
    const auto version = equal == std::string::npos ? std::string() : name_or_pin.substr(equal + 2);
    std::vector<std::string> keys;
    std::set<std::string> names;
    for (const auto& [key, node] : graph.nodes) {
        names.insert(node.name);
        if (node.name == name && (version.empty() || node.version == version)) {
            keys.push_back(key);
        }
    }
    if (keys.empty()) {
        Error error(ExitCode::usage, "unknown-node", "the graph has no " + printable(name_or_pin));
        if (names.contains(name)) {
            error.advise("it has other versions of " + name + ": leave the version out");
        }
        const std::vector<std::string> all(names.begin(), names.end());
        for (const auto& near : nearest(name, all)) {
            if (near != name) {
                error.advise("did you mean " + near + "?");
            }
        }
        throw error;
    }
    return keys;
}

Reasons reasons_of(const Graph& graph, const std::string& key) {
    Reasons reasons;
    reasons.key = key;
    for (const auto& target : graph.targets) {
        const Ways ways(graph, target.variant);
        Reasons::PerVariant each{target.variant, ways.to(key, false), ways.to(key, true)};
        if (!each.runtime.empty() || !each.build.empty()) {
            reasons.variants.push_back(std::move(each));
        }
    }
    auto links = links_by_target(graph);
    reasons.wanted_by = std::move(links[key]);
    return reasons;
}

std::set<std::string> runtime_set(const Graph& graph) {
    return reachable(graph, root_keys(graph), [](const GraphEdge& edge) {
        return edge.type == "runtime";
    });
}

std::vector<Duplicate> duplicates_of(const Graph& graph) {
    const auto links = links_by_target(graph);
    std::vector<Duplicate> result;
    for (const auto& [name, nodes] : nodes_by_name(graph)) {
        if (nodes.size() < 2) {
            continue;
        }
        Duplicate duplicate{name, {}};
        for (const auto* node : nodes) {
            const auto by = links.find(node->key());
            duplicate.nodes.push_back(
                {node->key(), by == links.end() ? std::vector<ChainLink>() : by->second}
            );
        }
        result.push_back(std::move(duplicate));
    }
    return result;
}

Graph subset_of(const Graph& graph, const std::vector<std::string>& names, Grow grow) {
    std::vector<std::string> meant;
    for (const auto& name : names) {
        const auto keys = nodes_meant(graph, name);
        meant.insert(meant.end(), keys.begin(), keys.end());
    }
    std::set<std::string> kept(meant.begin(), meant.end());
    if (grow != Grow::dependents) {
        kept.merge(reachable(graph, meant, [](const GraphEdge&) { return true; }));
    }
    if (grow != Grow::dependencies) {
        kept.merge(dependents(graph, meant));
    }
    Graph result = graph;
    std::erase_if(result.nodes, [&](const auto& each) { return !kept.contains(each.first); });
    for (auto& [key, node] : result.nodes) {
        std::erase_if(node.edges, [&](const auto& edge) { return !kept.contains(edge.to); });
    }
    std::erase_if(result.roots, [&](const auto& root) { return !kept.contains(root.to); });
    const auto reached = reachable(result, root_keys(result), [](const auto&) { return true; });
    for (const auto& key : meant) {
        if (!reached.contains(key) && !result.targets.empty()) {
            const auto& node = result.nodes.at(key);
            result.roots.push_back(
                {result.targets.front().variant, key, node.name + "==" + node.version, "subset"}
            );
        }
    }
    result.tidy();
    return result;
}

Pins pins_of(const Graph& graph) {
    const auto runtime = runtime_graph(graph);
    const auto links = links_by_target(runtime);
    Pins pins;
    for (const auto& [name, nodes] : nodes_by_name(runtime)) {
        std::set<std::string> versions;
        std::vector<ChainLink> wishes;
        PinConflict conflict{name, {}};
        for (const auto* node : nodes) {
            versions.insert(node->version);
            const auto by = links.find(node->key());
            const auto wanted = by == links.end() ? std::vector<ChainLink>() : by->second;
            wishes.insert(wishes.end(), wanted.begin(), wanted.end());
            conflict.versions.push_back({node->key(), wanted});
        }
        if (versions.size() == 1) {
            pins.pins.emplace_back(name, *versions.begin());
        } else if (const auto common = common_version(nodes, wishes)) {
            pins.pins.emplace_back(name, *common);
        } else {
            pins.conflicts.push_back(std::move(conflict));
        }
    }
    return pins;
}

}  // namespace wheelforge::engine
