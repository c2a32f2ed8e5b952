// SPDX-License-Identifier: Apache-2.0
#include "engine/graph.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/http.hpp"

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

}  // namespace

std::string GraphNode::key() const {
    return name + "==" + version + (inputs.empty() ? "" : "#" + inputs);
}

std::string plain_key(std::string_view key) {
    return std::string(key.substr(0, key.find('#')));
}

void Graph::tidy() {
    std::sort(targets.begin(), targets.end());
    std::sort(roots.begin(), roots.end());
    for (auto& [key, node] : nodes) {
        std::sort(node.edges.begin(), node.edges.end(), [](const auto& a, const auto& b) {
            return std::tie(a.type, a.to, a.requirement, a.origin)
                   < std::tie(b.type, b.to, b.requirement, b.origin);
        });
        node.edges.erase(std::unique(node.edges.begin(), node.edges.end()), node.edges.end());
    }
}

void Graph::drop_unreachable() {
    std::set<std::string> reached;
    std::vector<std::string> open;
    for (const auto& root : roots) {
        open.push_back(root.to);
    }
    while (!open.empty()) {
        const auto key = open.back();
        open.pop_back();
        const auto node = nodes.find(key);
        if (node == nodes.end() || !reached.insert(key).second) {
            continue;
        }
        for (const auto& edge : node->second.edges) {
            open.push_back(edge.to);
        }
    }
    std::erase_if(nodes, [&](const auto& each) { return !reached.contains(each.first); });
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
    graph.tidy();
    return graph;
}

void unite(Graph& graph, Graph more) {
    if (graph.targets.empty()) {
        graph.targets = std::move(more.targets);
    }
    graph.roots.insert(graph.roots.end(), more.roots.begin(), more.roots.end());
    graph.nodes.merge(more.nodes);
    graph.tidy();
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
    fresh.drop_unreachable();
    fresh.tidy();
    return fresh;
}

}  // namespace wheelforge::engine
