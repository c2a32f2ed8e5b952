// SPDX-License-Identifier: Apache-2.0
#include "engine/graph_read.hpp"

#include <set>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "engine/json_place.hpp"
#include "pep/name.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::uint64_t graph_limit = 256U << 20U;

/// Sources of a node and where they stand, by what the document calls the node.
using KeyById = std::map<std::string, std::string>;

std::string checked_name(const JsonPlace& place) {
    const auto& name = place.text();
    if (!pep::is_valid_name(name) || pep::normalize_name(name) != name) {
        place.refuse("is '" + printable(name) + "', which is no normalised name");
    }
    return name;
}

const std::string& key_of(const KeyById& keys, const JsonPlace& place) {
    const auto found = keys.find(place.text());
    if (found == keys.end()) {
        place.refuse("names '" + printable(place.text()) + "', but there is no such node");
    }
    return found->second;
}

GraphNode our_node(const JsonPlace& place) {
    GraphNode node;
    node.name = checked_name(place.at("name"));
    node.version = place.at("version").text();
    node.inputs = place.text_or_empty("inputs");
    const auto source = place.at("source");
    node.source_kind = source.at("kind").text();
    node.filename = source.text_or_empty("filename");
    node.url = source.text_or_empty("url");
    node.sha256 = source.text_or_empty("sha256");
    place.at("extras").each_element([&](const JsonPlace& extra) {
        node.extras.push_back(extra.text());
    });
    return node;
}

/// All nodes without their edges; edges may point forwards.
KeyById our_nodes(const JsonPlace& document, Graph& graph) {
    KeyById keys;
    document.at("nodes").each_element([&](const JsonPlace& place) {
        auto node = our_node(place);
        auto key = node.key();
        if (!keys.emplace(place.at("id").text(), key).second) {
            place.at("id").refuse(
                "is '" + printable(place.at("id").text()) + "', as that of another node"
            );
        }
        if (!graph.nodes.emplace(std::move(key), std::move(node)).second) {
            place.refuse("has the name, version and inputs of another node");
        }
    });
    return keys;
}

const std::string& variant_at(const JsonPlace& place, const std::vector<GraphTarget>& targets) {
    const auto target = place.number();
    if (target >= targets.size()) {
        place.refuse(
            "is " + std::to_string(target) + ", but there are " + std::to_string(targets.size())
            + " targets"
        );
    }
    return targets[target].variant;
}

std::set<std::string> variants_of(const JsonPlace& edge, const std::vector<GraphTarget>& targets) {
    std::set<std::string> variants;
    if (const auto places = edge.find("targets")) {
        places->each_element([&](const JsonPlace& place) {
            variants.insert(variant_at(place, targets));
        });
    }
    return variants;
}

void our_edges(const JsonPlace& document, const KeyById& keys, Graph& graph) {
    document.at("nodes").each_element([&](const JsonPlace& place) {
        auto& node = graph.nodes.at(keys.at(place.at("id").text()));
        place.at("edges").each_element([&](const JsonPlace& edge) {
            node.edges.push_back(
                {key_of(keys, edge.at("to")),
                 edge.at("type").text(),
                 edge.at("requirement").text(),
                 edge.at("origin").text(),
                 variants_of(edge, graph.targets)}
            );
        });
    });
}

Graph our_graph(const JsonPlace& document) {
    Graph graph;
    document.at("targets").each_element([&](const JsonPlace& place) {
        graph.targets.push_back(
            {place.at("variant").text(),
             place.at("python").text(),
             place.at("machine").text(),
             place.text_or_empty("glibc")}
        );
    });
    const auto keys = our_nodes(document, graph);
    our_edges(document, keys, graph);
    document.at("roots").each_element([&](const JsonPlace& place) {
        graph.roots.push_back(
            {variant_at(place.at("target"), graph.targets),
             key_of(keys, place.at("to")),
             place.at("requirement").text(),
             place.at("origin").text()}
        );
    });
    return graph;
}

GraphNode fromager_node(const std::string& key, const JsonPlace& place) {
    GraphNode node;
    node.name = checked_name(place.at("canonicalized_name"));
    node.version = place.at("version").text();
    if (node.key() != key) {
        place.refuse("is called by its key, but describes " + printable(node.key()));
    }
    node.url = place.text_or_empty("download_url");
    const auto pre_built = place.find("pre_built");
    node.source_kind = pre_built && pre_built->flag() ? "wheel" : "sdist";
    node.constraint = place.text_or_empty("constraint");
    const auto path = node.url.substr(0, node.url.find_first_of("?#"));
    node.filename = path.substr(path.rfind('/') + 1);
    return node;
}

std::string our_type(const JsonPlace& place) {
    static const std::set<std::string> known = {
        "build-system", "build-backend", "build-sdist", "toplevel", "install"
    };
    const auto& type = place.text();
    if (!known.contains(type)) {
        place.refuse("is '" + printable(type) + "', which is no kind of requirement of Fromager");
    }
    return type == "install" ? "runtime" : type;
}

Graph fromager_graph(const JsonPlace& document) {
    Graph graph;
    KeyById keys;
    graph.targets.emplace_back();
    document.each_member([&](const std::string& key, const JsonPlace& place) {
        if (!key.empty()) {
            graph.nodes.emplace(key, fromager_node(key, place));
            keys.emplace(key, key);
        }
    });
    document.each_member([&](const std::string& key, const JsonPlace& place) {
        const auto asker = key.substr(0, key.find("==")) + " " + place.at("version").text();
        place.at("edges").each_element([&](const JsonPlace& edge) {
            const auto& to = key_of(keys, edge.at("key"));
            const auto type = our_type(edge.at("req_type"));
            const auto& requirement = edge.at("req").text();
            if (key.empty()) {
                graph.roots.push_back({"", to, requirement, "top level"});
            } else {
                graph.nodes.at(key).edges.push_back({to, type, requirement, asker});
            }
        });
    });
    return graph;
}

ReadGraph understand(const JsonPlace& document) {
    ReadGraph read;
    if (const auto format = document.find("format")) {
        if (format->text() != "wheelforge graph 1") {
            format->refuse("is '" + printable(format->text()) + "', not 'wheelforge graph 1'");
        }
        read.graph = our_graph(document);
    } else if (const auto root = document.find("")) {
        read.format = GraphFormat::fromager;
        read.graph = fromager_graph(document);
    } else {
        document.refuse("is neither a graph of wheelforge (no \"format\") nor one of Fromager "
                        "(no node \"\")");
    }
    read.graph.tidy();
    return read;
}

}  // namespace

ReadGraph read_graph(std::string_view json, const std::string& origin) {
    const auto refuse = [&](const std::string& problem) {
        return Error(
                   ExitCode::usage, "bad-graph", printable(origin) + " is not a graph: " + problem
        )
            .advise("graphs are out/graph.json of wheelforge and work-dir/graph.json of Fromager");
    };
    const auto document = parse_json(json);
    if (!document) {
        const auto& error = document.error();
        throw refuse(printable(error.message) + " (byte " + std::to_string(error.offset) + ")");
    }
    try {
        return understand(JsonPlace(*document));
    } catch (const WrongDocument& wrong) {
        throw refuse(wrong.what());
    }
}

ReadGraph load_graph(const fs::path& path) {
    const auto text = read_file_if_there(path, graph_limit);
    if (!text) {
        throw Error(
            ExitCode::usage, "file-not-found", "there is no graph at " + printable(path.string())
        )
            .advise("name one by --graph FILE")
            .advise("or run wheelforge bootstrap first: a run that succeeds writes out/graph.json");
    }
    return read_graph(*text, path.string());
}

std::optional<Graph> parse_graph(std::string_view json) {
    try {
        auto read = read_graph(json, "the graph");
        if (read.format == GraphFormat::ours) {
            return std::move(read.graph);
        }
    } catch (const Error&) {
        // as good as none
    }
    return std::nullopt;
}

std::string write_graph(const ReadGraph& graph) {
    return graph.format == GraphFormat::ours ? graph_json(graph.graph)
                                             : fromager_graph_json(graph.graph);
}

}  // namespace wheelforge::engine
