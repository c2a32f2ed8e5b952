// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "engine/graph.hpp"

namespace wheelforge::engine {
namespace {

/// Short where it is clear, with twelve digits of the inputs where it is not.
std::map<std::string, std::string> ids_of(const Graph& graph) {
    std::map<std::string, int> count;
    for (const auto& [key, node] : graph.nodes) {
        ++count[node.name + "==" + node.version];
    }
    std::map<std::string, std::string> ids;
    for (const auto& [key, node] : graph.nodes) {
        const auto plain = node.name + "==" + node.version;
        ids[key] = count[plain] > 1 && !node.inputs.empty()
                       ? plain + "#" + node.inputs.substr(0, 12)
                       : plain;
    }
    return ids;
}

std::string id_or_key(const std::map<std::string, std::string>& ids, const std::string& key) {
    const auto id = ids.find(key);
    return id == ids.end() ? key.substr(0, key.find('#')) : id->second;
}

using TargetPlaces = std::map<std::string, std::size_t>;  // of variants

Json edge_json(
    const GraphEdge& edge, const std::map<std::string, std::string>& ids, const TargetPlaces& places
) {
    Json json = {
        {"to", id_or_key(ids, edge.to)},
        {"type", edge.type},
        {"requirement", edge.requirement},
        {"origin", edge.origin}
    };
    for (const auto& variant : edge.variants) {
        json["targets"].push_back(places.at(variant));
    }
    return json;
}

Json node_json(
    const GraphNode& node, const std::map<std::string, std::string>& ids, const TargetPlaces& places
) {
    Json edges = Json::array();
    for (const auto& edge : node.edges) {
        edges.push_back(edge_json(edge, ids, places));
    }
    return {
        {"id", ids.at(node.key())},
        {"name", node.name},
        {"version", node.version},
        {"stage", "final"},
        {"inputs", text_or_null(node.inputs)},
        {"source",
         {{"kind", node.source_kind},
          {"filename", node.filename},
          {"url", node.url},
          {"sha256", text_or_null(node.sha256)}}},
        {"extras", node.extras},
        {"edges", std::move(edges)},
    };
}

std::string_view fromager_type(const std::string& type) {
    return type == "runtime" ? "install" : std::string_view(type);
}

/// Nodes by Fromager's key, with the edges Fromager would have.
class FromagerNodes {
public:
    explicit FromagerNodes(const Graph& graph) {
        for (const auto& [key, node] : graph.nodes) {
            nodes_.try_emplace(plain_key(key), node);
        }
        for (const auto& [key, node] : graph.nodes) {
            add_edges(node, plain_key(key));
        }
    }
    [[nodiscard]] const std::map<std::string, GraphNode>& all() const noexcept { return nodes_; }
    [[nodiscard]] Json edges_of(const std::string& key) const {
        Json array = Json::array();
        const auto found = edges_.find(key);
        if (found != edges_.end()) {
            for (const auto& [type, to, requirement] : found->second) {
                array.push_back({{"key", to}, {"req_type", type}, {"req", requirement}});
            }
        }
        return array;
    }

private:
    /// A tool that another tool pulled into the environment has that one's "name version" as its
    /// origin; Fromager writes such an edge at the tool that asked.
    void add_edges(const GraphNode& node, const std::string& key) {
        std::map<std::string, std::string> tools;
        for (const auto& edge : node.edges) {
            if (edge.type != "runtime") {
                auto named = plain_key(edge.to);
                const auto equal = named.find("==");
                auto origin = named;
                origin.replace(equal, equal == std::string::npos ? 0 : 2, " ");
                tools.emplace(std::move(origin), std::move(named));
            }
        }
        for (const auto& edge : node.edges) {
            const auto tool = edge.type == "runtime" ? tools.end() : tools.find(edge.origin);
            if (tool == tools.end()) {
                edges_[key].insert(
                    {std::string(fromager_type(edge.type)), plain_key(edge.to), edge.requirement}
                );
            } else {
                edges_[tool->second].insert({"install", plain_key(edge.to), edge.requirement});
            }
        }
    }

    using Edge = std::tuple<std::string, std::string, std::string>;  // type, to, requirement
    std::map<std::string, GraphNode> nodes_;
    std::map<std::string, std::set<Edge>> edges_;
};

}  // namespace

std::string graph_json(const Graph& graph) {
    const auto ids = ids_of(graph);
    Json targets = Json::array();
    TargetPlaces places;
    for (const auto& target : graph.targets) {
        places.emplace(target.variant, targets.size());
        targets.push_back(
            {{"variant", target.variant},
             {"python", target.python},
             {"machine", target.machine},
             {"glibc", text_or_null(target.glibc)}}
        );
    }
    Json roots = Json::array();
    for (const auto& root : graph.roots) {
        roots.push_back(
            {{"target", places.at(root.variant)},
             {"to", id_or_key(ids, root.to)},
             {"requirement", root.requirement},
             {"origin", root.origin}}
        );
    }
    std::map<std::string, Json> nodes;
    for (const auto& [key, node] : graph.nodes) {
        nodes.emplace(ids.at(key), node_json(node, ids, places));
    }
    Json sorted = Json::array();
    for (auto& [id, node] : nodes) {
        sorted.push_back(std::move(node));
    }
    return dump_json(Json{
        {"format", "wheelforge graph 1"},
        {"targets", std::move(targets)},
        {"roots", std::move(roots)},
        {"nodes", std::move(sorted)},
    });
}

std::string fromager_graph_json(const Graph& graph) {
    const FromagerNodes nodes(graph);
    std::set<std::pair<std::string, std::string>> roots;
    for (const auto& root : graph.roots) {
        roots.emplace(plain_key(root.to), root.requirement);
    }
    Json edges = Json::array();
    for (const auto& [to, requirement] : roots) {
        edges.push_back({{"key", to}, {"req_type", "toplevel"}, {"req", requirement}});
    }
    Json all = Json::object();
    const auto add = [&all](const std::string& key, const GraphNode& node, Json node_edges) {
        all.get_ref<Json::object_t&>().emplace_back(
            key,
            Json{
                {"download_url", node.url},
                {"pre_built", node.source_kind != "sdist"},
                {"version", node.version},
                {"canonicalized_name", node.name},
                {"constraint", text_or_null(node.constraint)},
                {"edges", std::move(node_edges)},
            }
        );
    };
    GraphNode root;
    root.version = "0";
    add("", root, std::move(edges));
    for (const auto& [key, node] : nodes.all()) {
        add(key, node, nodes.edges_of(key));
    }
    return dump_json(all);
}

}  // namespace wheelforge::engine
