// SPDX-License-Identifier: Apache-2.0
// Every file of tests/fixtures/resolve is a world, a question and its answer. The prose of a
// conflict is a golden: WHEELFORGE_ACCEPT=1 rewrites it (it stands last in its file).
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "resolve/suggest.hpp"
#include "support/scenario.hpp"

namespace wheelforge::resolve {
namespace {

std::vector<std::string> scenario_files() {
    const char* elsewhere = std::getenv("WHEELFORGE_SCENARIOS");
    const std::string folder = elsewhere != nullptr
                                   ? elsewhere
                                   : std::string(WHEELFORGE_SOURCE_DIR) + "/tests/fixtures/resolve";
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".yaml") {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = std::filesystem::path(info.param).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_'
    );
    return name;
}

bool accepting() {
    const char* accept = std::getenv("WHEELFORGE_ACCEPT");
    return accept != nullptr && std::string_view(accept) == "1";
}

void accept_prose(const std::string& path, const std::string& prose) {
    std::string text = read_file(path);
    text = text.substr(0, text.find("\nprose:")) + (text.find("\nprose:") == text.npos ? "" : "\n");
    text += "prose: |-\n";
    for (const std::string_view line : lines(prose)) {
        text += "  " + std::string(line) + "\n";
    }
    write_file(path, text);
}

class ScenarioTest : public testing::TestWithParam<std::string> {};

void expect_pins(const test::Scenario& scenario, const Resolution& resolution) {
    std::map<std::string, std::string> pins;
    std::vector<std::string> missing;
    for (const Pin& pin : resolution.pins) {
        pins[test::label(pin.name, pin.extras)] = pin.version.text();
        if (!pin.missing_extras.empty()) {
            missing.push_back(test::label(pin.name, pin.missing_extras));
        }
    }
    EXPECT_EQ(pins, scenario.pins.value());
    EXPECT_EQ(join(missing, " "), scenario.missing_extras.value_or(""));
}

void expect_conflict(test::Scenario& scenario, const std::string& path, const Conflict& conflict) {
    EXPECT_FALSE(conflict.chain.empty());
    if (accepting()) {
        accept_prose(path, conflict.prose);
    } else {
        EXPECT_EQ(conflict.prose, scenario.prose.value_or(""));
    }
    if (scenario.suggestions.empty()) {
        return;
    }
    std::vector<std::string> suggestions;
    for (const Suggestion& suggestion : suggest(scenario.problem, conflict, scenario.universe)) {
        std::string text;
        for (const Relaxation& one : suggestion.relaxations) {
            text += (text.empty() ? "" : ", ") + one.wanted.origin.text + " -> "
                    + one.wanted.requirement.name + " "
                    + (one.version ? one.version->text() : "not wanted");
        }
        suggestions.push_back(text);
    }
    EXPECT_EQ(suggestions, scenario.suggestions);
}

TEST_P(ScenarioTest, HasTheExpectedOutcome) {
    test::Scenario scenario = test::load_scenario(GetParam());
    Resolver resolver(scenario.problem);
    const Outcome outcome = solve(resolver, scenario.universe);
    if (const auto* resolution = std::get_if<Resolution>(&outcome)) {
        ASSERT_TRUE(scenario.pins) << "solved:\n" << test::describe(outcome);
        expect_pins(scenario, *resolution);
    } else {
        ASSERT_FALSE(scenario.pins) << test::describe(outcome);
        expect_conflict(scenario, GetParam(), std::get<Conflict>(outcome));
    }
    const Statistics statistics = resolver.statistics();
    EXPECT_LE(statistics.decisions, scenario.most_decisions.value_or(SIZE_MAX));
    EXPECT_LE(statistics.versions_looked_at, scenario.most_versions.value_or(SIZE_MAX));
}

TEST_P(ScenarioTest, DoesNotDependOnTheOrderOfAnswers) {
    test::Scenario scenario = test::load_scenario(GetParam());
    Resolver resolver(scenario.problem);
    const Outcome expected = solve(resolver, scenario.universe);
    for (unsigned seed = 0; seed < 5; ++seed) {
        Resolver shuffled(scenario.problem);
        const Outcome outcome = test::solve_shuffled(shuffled, scenario.universe, seed);
        EXPECT_EQ(test::describe(outcome), test::describe(expected)) << "seed " << seed;
        EXPECT_EQ(shuffled.statistics().decisions, resolver.statistics().decisions);
        EXPECT_EQ(shuffled.statistics().conflicts, resolver.statistics().conflicts);
    }
}

INSTANTIATE_TEST_SUITE_P(Resolve, ScenarioTest, testing::ValuesIn(scenario_files()), test_name);

}  // namespace
}  // namespace wheelforge::resolve
