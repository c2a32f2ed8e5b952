// SPDX-License-Identifier: Apache-2.0
#include "engine/graph_answers.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::size_t most_listed = 12;
constexpr std::size_t digest_digits = 12;

Json link_json(const ChainLink& link) {
    return {
        {"from", link.from.empty() ? Json(nullptr) : Json(link.from)},
        {"to", link.to},
        {"type", link.type},
        {"requirement", link.requirement},
        {"origin", link.origin},
    };
}

Json links_json(const std::vector<ChainLink>& links) {
    Json array = Json::array();
    for (const auto& link : links) {
        array.push_back(link_json(link));
    }
    return array;
}

/// "requests 2.32.3 requires idna<4" or "... is built with ..."; an origin that only repeats who
/// asks is left out.
std::string sentence(const ChainLink& link, const NodeNames& names) {
    const auto requirement = printable(link.requirement);
    if (link.from.empty()) {
        return printable(link.origin) + " asks for " + requirement;
    }
    const auto asker = names.of(link.from);
    if (link.type == "runtime") {
        return asker + " requires " + requirement;
    }
    const bool repeats = link.origin.find(asker) == 0 || link.origin.find("the build of") == 0;
    return asker + " is built with " + requirement + " (" + printable(link.type)
           + (repeats ? "" : ", wanted by " + printable(link.origin)) + ")";
}

void tell_chain(std::string& text, const char* kind, const Chain& chain, const NodeNames& names) {
    if (chain.empty()) {
        return;
    }
    text += fmt::format("  {}:\n", kind);
    std::string indent = "    ";
    for (const auto& link : chain) {
        text += indent + sentence(link, names) + " -> " + names.of(link.to) + "\n";
        indent += "  ";
    }
}

void tell_wanted(
    std::string& text,
    const std::vector<ChainLink>& links,
    const NodeNames& names,
    const std::string& indent
) {
    std::size_t told = 0;
    for (const auto& link : links) {
        if (told++ == most_listed) {
            text += fmt::format("{}and {} more\n", indent, links.size() - most_listed);
            return;
        }
        text += indent + sentence(link, names) + "\n";
    }
}

Json reasons_json(const Reasons& reasons, const Graph& graph) {
    const auto& node = graph.nodes.at(reasons.key);
    Json variants = Json::array();
    for (const auto& each : reasons.variants) {
        variants.push_back(
            {{"variant", each.variant},
             {"runtime", links_json(each.runtime)},
             {"build", links_json(each.build)}}
        );
    }
    return {
        {"key", reasons.key},
        {"name", node.name},
        {"version", node.version},
        {"variants", std::move(variants)},
        {"wanted_by", links_json(reasons.wanted_by)},
    };
}

std::string reasons_text(const Reasons& reasons, const NodeNames& names) {
    std::string text = names.of(reasons.key) + "\n";
    for (const auto& each : reasons.variants) {
        const auto variant = each.variant.empty() ? "" : " (" + printable(each.variant) + ")";
        tell_chain(text, ("at run time" + variant).c_str(), each.runtime, names);
        tell_chain(text, ("for a build" + variant).c_str(), each.build, names);
    }
    if (reasons.variants.empty()) {
        text += "  no root leads to it\n";
    }
    if (reasons.wanted_by.size() > 1) {
        text += "  wanted by:\n";
        tell_wanted(text, reasons.wanted_by, names, "    ");
    }
    return text;
}

Json wanted_json(const std::vector<Duplicate::Wanted>& nodes) {
    Json array = Json::array();
    for (const auto& wanted : nodes) {
        array.push_back({{"key", wanted.key}, {"wanted_by", links_json(wanted.by)}});
    }
    return array;
}

std::string wanted_text(const std::vector<Duplicate::Wanted>& nodes, const NodeNames& names) {
    std::string text;
    for (const auto& wanted : nodes) {
        text += "  " + names.of(wanted.key) + "\n";
        tell_wanted(text, wanted.by, names, "    ");
    }
    return text;
}

/// Lines of a diff; long digests are cut where people read.
void tell_changed(std::string& text, const GraphDifference::Node& node) {
    text += "~ " + printable(node.name + " " + node.version) + "\n";
    if (node.before_source != node.after_source) {
        text += "    source: " + printable(node.before_source) + "\n         -> "
                + printable(node.after_source) + "\n";
    }
    if (node.before_inputs != node.after_inputs) {
        const auto cut = [](const std::string& inputs) {
            return inputs.empty() ? std::string("none") : inputs.substr(0, digest_digits);
        };
        text += "    inputs: " + cut(node.before_inputs) + " -> " + cut(node.after_inputs) + "\n";
    }
    for (const auto& edge : node.edges_gone) {
        text += "    - " + printable(edge) + "\n";
    }
    for (const auto& edge : node.edges_new) {
        text += "    + " + printable(edge) + "\n";
    }
}

std::string diff_text(const GraphDifference& difference) {
    std::string text;
    for (const auto& each : difference.versions) {
        const auto sign = each.before.empty() ? '+' : each.after.empty() ? '-' : '~';
        text += fmt::format("{} {}", sign, printable(each.name));
        if (!each.before.empty()) {
            text += " " + printable(join(each.before, ", "));
        }
        if (!each.after.empty()) {
            text += (each.before.empty() ? " " : " -> ") + printable(join(each.after, ", "));
        }
        text += "\n";
    }
    for (const auto& node : difference.nodes) {
        tell_changed(text, node);
    }
    for (const auto& root : difference.roots_gone) {
        text += "- root " + printable(root) + "\n";
    }
    for (const auto& root : difference.roots_new) {
        text += "+ root " + printable(root) + "\n";
    }
    return text.empty() ? "no difference\n" : text;
}

std::string diff_json(const GraphDifference& difference) {
    Json versions = Json::array();
    for (const auto& each : difference.versions) {
        versions.push_back({{"name", each.name}, {"before", each.before}, {"after", each.after}});
    }
    Json nodes = Json::array();
    const auto change = [](const std::string& before, const std::string& after) {
        return before == after ? Json(nullptr) : Json{{"before", before}, {"after", after}};
    };
    for (const auto& node : difference.nodes) {
        nodes.push_back(
            {{"name", node.name},
             {"version", node.version},
             {"source", change(node.before_source, node.after_source)},
             {"inputs", change(node.before_inputs, node.after_inputs)},
             {"edges_gone", node.edges_gone},
             {"edges_new", node.edges_new}}
        );
    }
    return dump_json(Json{
        {"versions", std::move(versions)},
        {"nodes", std::move(nodes)},
        {"roots_gone", difference.roots_gone},
        {"roots_new", difference.roots_new},
    });
}

}  // namespace

NodeNames::NodeNames(const Graph& graph) {
    std::map<std::string, int> count;
    for (const auto& [key, node] : graph.nodes) {
        ++count[node.name + " " + node.version];
    }
    for (const auto& [key, node] : graph.nodes) {
        const auto plain = node.name + " " + node.version;
        const bool unclear = count[plain] > 1 && !node.inputs.empty();
        names_[key] =
            printable(plain) + (unclear ? "#" + node.inputs.substr(0, digest_digits) : "");
    }
}

std::string NodeNames::of(const std::string& key) const {
    const auto name = names_.find(key);
    return name == names_.end() ? printable(key) : name->second;
}

std::string
why_answer(const Graph& graph, const std::vector<std::string>& keys, AnswerFormat format) {
    const NodeNames names(graph);
    Json array = Json::array();
    std::string text;
    for (const auto& key : keys) {
        const auto reasons = reasons_of(graph, key);
        if (format == AnswerFormat::json) {
            array.push_back(reasons_json(reasons, graph));
        } else {
            text += (text.empty() ? "" : "\n") + reasons_text(reasons, names);
        }
    }
    return format == AnswerFormat::json ? dump_json(Json{{"nodes", std::move(array)}}) : text;
}

std::string duplicates_answer(const Graph& graph, AnswerFormat format) {
    const auto duplicates = duplicates_of(graph);
    if (format == AnswerFormat::json) {
        Json array = Json::array();
        for (const auto& duplicate : duplicates) {
            array.push_back({{"name", duplicate.name}, {"nodes", wanted_json(duplicate.nodes)}});
        }
        return dump_json(Json{{"duplicates", std::move(array)}});
    }
    const NodeNames names(graph);
    std::string text;
    for (const auto& duplicate : duplicates) {
        text += printable(duplicate.name) + "\n" + wanted_text(duplicate.nodes, names);
    }
    return text.empty() ? "no name has several nodes\n" : text;
}

std::string diff_answer(const GraphDifference& difference, AnswerFormat format) {
    return format == AnswerFormat::json ? diff_json(difference) : diff_text(difference);
}

std::string pins_answer(const Pins& pins, AnswerFormat format) {
    if (format == AnswerFormat::text) {
        std::string text;
        for (const auto& [name, version] : pins.pins) {
            text += printable(name) + "==" + printable(version) + "\n";
        }
        return text;
    }
    Json array = Json::array();
    for (const auto& [name, version] : pins.pins) {
        array.push_back({{"name", name}, {"version", version}});
    }
    Json conflicts = Json::array();
    for (const auto& conflict : pins.conflicts) {
        conflicts.push_back({{"name", conflict.name}, {"nodes", wanted_json(conflict.versions)}});
    }
    return dump_json(Json{{"pins", std::move(array)}, {"conflicts", std::move(conflicts)}});
}

std::string conflicts_prose(const Pins& pins, const Graph& graph) {
    const NodeNames names(graph);
    std::string text;
    for (const auto& conflict : pins.conflicts) {
        text += "no version of " + printable(conflict.name) + " suits all that require it:\n"
                + wanted_text(conflict.versions, names);
    }
    return text;
}

}  // namespace wheelforge::engine
