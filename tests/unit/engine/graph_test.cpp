// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/graph_read.hpp"

namespace wheelforge::engine {
namespace {

GraphNode node(const std::string& name, const std::string& version, const std::string& inputs) {
    GraphNode made;
    made.name = name;
    made.version = version;
    made.inputs = inputs;
    made.source_kind = "sdist";
    made.filename = name + "-" + version + ".tar.gz";
    made.sha256 = std::string(64, 'a');
    return made;
}

Graph graph_of(const std::string& variant, std::vector<GraphNode> nodes, const std::string& root) {
    Graph graph;
    graph.targets.push_back({variant, "3.12.1", "x86_64", "2.36"});
    for (auto& each : nodes) {
        auto key = each.key();
        graph.nodes.emplace(std::move(key), std::move(each));
    }
    graph.roots.push_back({variant, root, "a", "requirements.txt:1"});
    return graph;
}

const std::string one(64, '1');
const std::string two(64, '2');

TEST(Graph, ReadsWhatItWrote) {
    auto a = node("a", "1.0", one);
    a.edges.push_back({"b==2.0#" + two, "runtime", "b>=1", "a 1.0"});
    const auto graph = graph_of("cpu", {a, node("b", "2.0", two)}, a.key());
    const auto text = graph_json(graph);
    const auto read = parse_graph(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(graph_json(*read), text);
    EXPECT_EQ(read->nodes.at(a.key()).edges.front().to, "b==2.0#" + two);
}

TEST(Graph, CallsANodeByNameAndVersionWhereThatIsClear) {
    const auto text = graph_json(graph_of("cpu", {node("a", "1.0", one)}, "a==1.0#" + one));
    EXPECT_NE(text.find("\"id\": \"a==1.0\""), std::string::npos);
}

TEST(Graph, TellsEqualVersionsWithOtherInputsApart) {
    const auto before = graph_of("cpu", {node("a", "1.0", one)}, "a==1.0#" + one);
    const auto both = merge(before, graph_of("rocm", {node("a", "1.0", two)}, "a==1.0#" + two));
    const auto text = graph_json(both);
    EXPECT_NE(text.find("a==1.0#111111111111"), std::string::npos);
    EXPECT_NE(text.find("a==1.0#222222222222"), std::string::npos);
}

TEST(Graph, SharesANodeThatTwoVariantsBuildFromTheSameInputs) {
    const auto before = graph_of("cpu", {node("a", "1.0", one)}, "a==1.0#" + one);
    const auto both = merge(before, graph_of("rocm", {node("a", "1.0", one)}, "a==1.0#" + one));
    EXPECT_EQ(both.nodes.size(), 1U);
    EXPECT_EQ(both.roots.size(), 2U);
}

TEST(Graph, KeepsWhatASharedNodeNeedsInEachVariantApart) {
    auto a = node("a", "1.0", one);
    a.edges = {{"b==1.0#" + one, "runtime", "b", "a 1.0"}};
    const auto before = graph_of("cpu", {a, node("b", "1.0", one)}, a.key());
    a.edges = {{"b==1.0#" + two, "runtime", "b", "a 1.0"}};
    const auto both = merge(before, graph_of("rocm", {a, node("b", "1.0", two)}, a.key()));
    EXPECT_EQ(both.nodes.size(), 3U);
    const auto text = graph_json(both);
    EXPECT_EQ(graph_json(*parse_graph(text)), text);

    // Built once more for one of them, the other keeps what it had.
    a.edges = {{"c==1.0", "runtime", "c", "a 1.0"}};
    const auto third = merge(both, graph_of("rocm", {a, node("c", "1.0", "")}, a.key()));
    const auto& edges = third.nodes.at(a.key()).edges;
    ASSERT_EQ(edges.size(), 2U);
    EXPECT_EQ(edges[0].to, "b==1.0#" + one);
    EXPECT_EQ(edges[0].variants, std::set<std::string>{"cpu"});
    EXPECT_EQ(edges[1].to, "c==1.0");
    EXPECT_EQ(third.nodes.count("b==1.0#" + two), 0U);
}

TEST(Graph, DropsWhatNoRootReachesAnyMore) {
    const auto before = graph_of("cpu", {node("a", "1.0", one)}, "a==1.0#" + one);
    const auto after = merge(before, graph_of("cpu", {node("a", "2.0", two)}, "a==2.0#" + two));
    EXPECT_EQ(after.nodes.size(), 1U);
    EXPECT_TRUE(after.nodes.contains("a==2.0#" + two));
}

TEST(Graph, PrefersTheHighestOfSeveralVersionsFirst) {
    const auto graph = graph_of(
        "cpu",
        {node("flit-core", "3.12.0", one), node("flit-core", "4.2.0", two)},
        "flit-core==3.12.0#" + one
    );
    const auto preferences = graph.preferences();
    ASSERT_EQ(preferences.size(), 2U);
    EXPECT_EQ(preferences[0].at("flit-core").text(), "4.2.0");
    EXPECT_EQ(preferences[1].at("flit-core").text(), "3.12.0");
}

TEST(Graph, RefusesWhatIsNotOurs) {
    EXPECT_FALSE(parse_graph("{}"));
    EXPECT_FALSE(parse_graph("not json"));
    EXPECT_FALSE(parse_graph(R"({"format": "wheelforge graph 1", "targets": []})"));
    EXPECT_FALSE(
        parse_graph(R"({"format": "wheelforge graph 2", "targets": [], "roots": [], "nodes": []})")
    );
}

}  // namespace
}  // namespace wheelforge::engine
