// SPDX-License-Identifier: Apache-2.0
#include "engine/graph.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/http.hpp"
#include "pep/requirement_credentials.hpp"

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
                 pep::without_credentials(edge.requirement).text(),
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

/// Of edges what these variants have; an edge of them all needs no list.
void keep_variants(GraphNode& node, const std::set<std::string>& variants) {
    std::erase_if(node.edges, [&](GraphEdge& edge) {
        if (edge.variants.empty()) {
            return false;
        }
        std::erase_if(edge.variants, [&](const auto& each) { return !variants.contains(each); });
        const bool is_nobodys = edge.variants.empty();
        if (edge.variants == variants) {
            edge.variants.clear();
        }
        return is_nobodys;
    });
}

/// Lists the variants of every edge.
void name_variants(Graph& graph) {
    std::set<std::string> all;
    for (const auto& target : graph.targets) {
        all.insert(target.variant);
    }
    for (auto& [key, node] : graph.nodes) {
        for (auto& edge : node.edges) {
            if (edge.variants.empty()) {
                edge.variants = all;
            }
        }
    }
}

/// A node as others need it, too.
void share(GraphNode& node, const GraphNode& other) {
    node.edges.insert(node.edges.end(), other.edges.begin(), other.edges.end());
    std::set<std::string> extras(node.extras.begin(), node.extras.end());
    extras.insert(other.extras.begin(), other.extras.end());
    node.extras.assign(extras.begin(), extras.end());
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
        std::map<std::tuple<std::string, std::string, std::string, std::string>, GraphEdge> edges;
        for (auto& edge : node.edges) {
            const auto [same, is_new] =
                edges.try_emplace({edge.type, edge.to, edge.requirement, edge.origin}, edge);
            auto& variants = same->second.variants;
            if (edge.variants.empty()) {
                variants.clear();
            } else if (!is_new && !variants.empty()) {
                variants.insert(edge.variants.begin(), edge.variants.end());
            }
        }
        node.edges.clear();
        for (auto& [order, edge] : edges) {
            node.edges.push_back(std::move(edge));
        }
    }
}

void Graph::drop_unreachable() {
    std::map<std::string, std::set<std::string>> variants_of;
    for (const auto& root : roots) {
        std::vector<std::string> open = {root.to};
        while (!open.empty()) {
            const auto key = std::move(open.back());
            open.pop_back();
            const auto node = nodes.find(key);
            if (node == nodes.end() || !variants_of[key].insert(root.variant).second) {
                continue;
            }
            for (const auto& edge : node->second.edges) {
                if (edge.holds_for(root.variant)) {
                    open.push_back(edge.to);
                }
            }
        }
    }
    std::erase_if(nodes, [&](const auto& each) { return !variants_of.contains(each.first); });
    for (auto& [key, node] : nodes) {
        keep_variants(node, variants_of.at(key));
    }
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
                     pep::without_credentials(edge.requirement).text(),
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
                 pep::without_credentials(root.requirement).text(),
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

Graph merge(Graph before, Graph fresh) {
    name_variants(before);
    name_variants(fresh);
    const auto is_replaced = [replaced = fresh.targets](const std::string& variant) {
        return std::any_of(replaced.begin(), replaced.end(), [&](const auto& target) {
            return target.variant == variant;
        });
    };
    for (const auto& target : before.targets) {
        if (!is_replaced(target.variant)) {
            fresh.targets.push_back(target);
        }
    }
    for (const auto& root : before.roots) {
        if (!is_replaced(root.variant)) {
            fresh.roots.push_back(root);
        }
    }
    for (auto& [key, node] : before.nodes) {
        std::erase_if(node.edges, [&](GraphEdge& edge) {
            std::erase_if(edge.variants, is_replaced);
            return edge.variants.empty();
        });
        const auto [known, is_new] = fresh.nodes.try_emplace(key, node);
        if (!is_new) {
            share(known->second, node);
        }
    }
    fresh.tidy();
    fresh.drop_unreachable();
    return fresh;
}

}  // namespace wheelforge::engine
