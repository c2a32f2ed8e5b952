// SPDX-License-Identifier: Apache-2.0
#include "engine/graph.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/http.hpp"
#include "base/json.hpp"

namespace wheelforge::engine {
namespace {

std::string key_of(const Job& job) {
    const auto* published = job.published();
    GraphNode node;
    node.name = job.id.name;
    node.version = job.id.version.text();
    node.inputs = published != nullptr ? published->entry.key : "";
    return node.key();
}

std::string key_of(
    const std::map<plugin::PackageId, Job>& jobs,
    const std::string& name,
    const pep::Version& version
) {
    const auto job = jobs.find({name, version});
    return job == jobs.end() ? name + "==" + version.text() : key_of(job->second);
}

SourcePtr source_of(const Job& job) {
    return std::visit(
        [](const auto& state) -> SourcePtr {
            if constexpr (requires { state.source; }) {
                return state.source;
            } else {
                return nullptr;
            }
        },
        job.state
    );
}

Solution scope_of(const Job& job) {
    return std::visit(
        [](const auto& state) -> Solution {
            if constexpr (requires { state.scope; }) {
                return state.scope;
            } else {
                return nullptr;
            }
        },
        job.state
    );
}

std::string_view build_edge_type(const resolve::Origin& origin) {
    return origin.text.find("get_requires_for_build_wheel") != std::string::npos ? "build-backend"
                                                                                 : "build-system";
}

/// What a build scope asks for, and what that pulls in.
void add_build_edges(
    GraphNode& node, const resolve::Resolution& scope, const std::map<plugin::PackageId, Job>& jobs
) {
    const auto add = [&](const resolve::Edge& edge, std::string_view type, const std::string& origin
                     ) {
        const auto* pin = scope.find(edge.to);
        if (pin != nullptr && jobs.contains({pin->name, pin->version})) {
            node.edges.push_back(
                {key_of(jobs, pin->name, pin->version),
                 std::string(type),
                 edge.requirement.text(),
                 origin}
            );
        }
    };
    for (const auto& root : scope.roots) {
        add(root, build_edge_type(root.origin), root.origin.text);
    }
    for (const auto& pin : scope.pins) {
        for (const auto& edge : pin.requires_) {
            add(edge, "build-system", pin.name + " " + pin.version.text());
        }
    }
}

GraphNode node_of(const Job& job, const std::map<plugin::PackageId, Job>& jobs) {
    GraphNode node;
    node.name = job.id.name;
    node.version = job.id.version.text();
    if (const auto* published = job.published()) {
        node.inputs = published->entry.key;
        node.source_kind = "wheel";
        node.filename = published->entry.filename;
        node.sha256 = published->entry.sha256;
    }
    if (const auto source = source_of(job)) {
        node.source_kind = "sdist";
        node.filename = source->file.filename;
        node.url = without_credentials(source->file.url);
        node.sha256 = source->sha256;
    }
    if (const auto scope = scope_of(job)) {
        add_build_edges(node, *scope, jobs);
    }
    return node;
}

void tidy(Graph& graph) {
    std::sort(graph.targets.begin(), graph.targets.end());
    std::sort(graph.roots.begin(), graph.roots.end());
    for (auto& [key, node] : graph.nodes) {
        std::sort(node.edges.begin(), node.edges.end(), [](const auto& a, const auto& b) {
            return std::tie(a.type, a.to, a.requirement, a.origin)
                   < std::tie(b.type, b.to, b.requirement, b.origin);
        });
        node.edges.erase(std::unique(node.edges.begin(), node.edges.end()), node.edges.end());
    }
}

void drop_unreachable(Graph& graph) {
    std::set<std::string> reached;
    std::vector<std::string> open;
    for (const auto& root : graph.roots) {
        open.push_back(root.to);
    }
    while (!open.empty()) {
        const auto key = open.back();
        open.pop_back();
        const auto node = graph.nodes.find(key);
        if (node == graph.nodes.end() || !reached.insert(key).second) {
            continue;
        }
        for (const auto& edge : node->second.edges) {
            open.push_back(edge.to);
        }
    }
    std::erase_if(graph.nodes, [&](const auto& each) { return !reached.contains(each.first); });
}

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

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string id_or_key(const std::map<std::string, std::string>& ids, const std::string& key) {
    const auto id = ids.find(key);
    return id == ids.end() ? key.substr(0, key.find('#')) : id->second;
}

Json node_json(const GraphNode& node, const std::map<std::string, std::string>& ids) {
    Json edges = Json::array();
    for (const auto& edge : node.edges) {
        edges.push_back(
            {{"to", id_or_key(ids, edge.to)},
             {"type", edge.type},
             {"requirement", edge.requirement},
             {"origin", edge.origin}}
        );
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

std::string text_at(const Json& object, const char* key) {
    const auto& value = object.at(key);
    return value.is_null() ? std::string() : value.get<std::string>();
}

GraphNode node_from(const Json& object) {
    GraphNode node;
    node.name = text_at(object, "name");
    node.version = text_at(object, "version");
    node.inputs = text_at(object, "inputs");
    node.source_kind = text_at(object.at("source"), "kind");
    node.filename = text_at(object.at("source"), "filename");
    node.url = text_at(object.at("source"), "url");
    node.sha256 = text_at(object.at("source"), "sha256");
    node.extras = object.at("extras").get<std::vector<std::string>>();
    for (const auto& edge : object.at("edges")) {
        node.edges.push_back(
            {text_at(edge, "to"),
             text_at(edge, "type"),
             text_at(edge, "requirement"),
             text_at(edge, "origin")}
        );
    }
    return node;
}

Graph graph_from(const Json& object) {
    Graph graph;
    for (const auto& target : object.at("targets")) {
        graph.targets.push_back(
            {text_at(target, "variant"),
             text_at(target, "python"),
             text_at(target, "machine"),
             text_at(target, "glibc")}
        );
    }
    std::map<std::string, std::string> key_by_id;
    std::vector<GraphNode> nodes;
    for (const auto& each : object.at("nodes")) {
        nodes.push_back(node_from(each));
        key_by_id[text_at(each, "id")] = nodes.back().key();
    }
    const auto key_of_id = [&](const std::string& id) {
        const auto key = key_by_id.find(id);
        return key == key_by_id.end() ? id : key->second;
    };
    for (auto& node : nodes) {
        for (auto& edge : node.edges) {
            edge.to = key_of_id(edge.to);
        }
        auto key = node.key();
        graph.nodes.emplace(std::move(key), std::move(node));
    }
    for (const auto& root : object.at("roots")) {
        const auto target = root.at("target").get<std::size_t>();
        graph.roots.push_back(
            {graph.targets.at(target).variant,
             key_of_id(text_at(root, "to")),
             text_at(root, "requirement"),
             text_at(root, "origin")}
        );
    }
    return graph;
}

}  // namespace

std::string GraphNode::key() const {
    return name + "==" + version + (inputs.empty() ? "" : "#" + inputs);
}

std::vector<std::map<std::string, pep::Version>> Graph::preferences() const {
    std::map<std::string, std::vector<pep::Version>> versions;
    for (const auto& [key, node] : nodes) {
        if (auto version = pep::Version::parse(node.version)) {
            versions[node.name].push_back(std::move(*version));
        }
    }
    std::vector<std::map<std::string, pep::Version>> result;
    for (auto& [name, all] : versions) {
        std::sort(all.rbegin(), all.rend());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (std::size_t i = 0; i < all.size(); ++i) {
            result.resize(std::max(result.size(), i + 1));
            result[i].emplace(name, all[i]);
        }
    }
    return result;
}

Graph make_graph(
    const std::string& variant,
    const pep::Target& target,
    const resolve::Resolution& runtime,
    const std::map<plugin::PackageId, Job>& jobs
) {
    Graph graph;
    graph.targets.push_back(
        {variant,
         target.python.text(),
         target.machine,
         fmt::format("{}.{}", target.glibc_major, target.glibc_minor)}
    );
    for (const auto& [id, job] : jobs) {
        auto node = node_of(job, jobs);
        auto key = node.key();
        graph.nodes.emplace(std::move(key), std::move(node));
    }
    for (const auto& pin : runtime.pins) {
        auto node = graph.nodes.find(key_of(jobs, pin.name, pin.version));
        if (node == graph.nodes.end()) {
            continue;
        }
        node->second.extras = {pin.extras.begin(), pin.extras.end()};
        for (const auto& edge : pin.requires_) {
            if (const auto* to = runtime.find(edge.to)) {
                node->second.edges.push_back(
                    {key_of(jobs, to->name, to->version),
                     "runtime",
                     edge.requirement.text(),
                     pin.name + " " + pin.version.text()}
                );
            }
        }
    }
    for (const auto& root : runtime.roots) {
        if (const auto* to = runtime.find(root.to)) {
            graph.roots.push_back(
                {variant,
                 key_of(jobs, to->name, to->version),
                 root.requirement.text(),
                 root.origin.text}
            );
        }
    }
    tidy(graph);
    return graph;
}

Graph merge(const Graph& before, Graph fresh) {
    std::set<std::string> replaced;
    for (const auto& target : fresh.targets) {
        replaced.insert(target.variant);
    }
    for (const auto& target : before.targets) {
        if (!replaced.contains(target.variant)) {
            fresh.targets.push_back(target);
        }
    }
    for (const auto& root : before.roots) {
        if (!replaced.contains(root.variant)) {
            fresh.roots.push_back(root);
        }
    }
    for (const auto& [key, node] : before.nodes) {
        fresh.nodes.emplace(key, node);
    }
    drop_unreachable(fresh);
    tidy(fresh);
    return fresh;
}

std::string graph_json(const Graph& graph) {
    const auto ids = ids_of(graph);
    Json targets = Json::array();
    std::map<std::string, std::size_t> place;
    for (const auto& target : graph.targets) {
        place.emplace(target.variant, targets.size());
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
            {{"target", place.at(root.variant)},
             {"to", id_or_key(ids, root.to)},
             {"requirement", root.requirement},
             {"origin", root.origin}}
        );
    }
    std::map<std::string, Json> nodes;
    for (const auto& [key, node] : graph.nodes) {
        nodes.emplace(ids.at(key), node_json(node, ids));
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

std::optional<Graph> parse_graph(std::string_view json) {
    const auto value = parse_json(json);
    if (!value || !value->is_object() || value->value("format", "") != "wheelforge graph 1") {
        return std::nullopt;
    }
    try {
        return graph_from(*value);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace wheelforge::engine
