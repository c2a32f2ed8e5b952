// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/problem_rules.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::engine {
namespace {

using resolve::Origin;

pep::Requirement requirement(const char* text) {
    return *pep::Requirement::parse(text);
}

class ProblemRules : public testing::Test {
protected:
    config::Settings load(std::string_view text, std::vector<std::string> variants = {}) {
        here.write("settings.yaml", text);
        config::Settings::Sources sources;
        sources.file = "settings.yaml";
        sources.variant_keys = std::move(variants);
        return config::Settings::load(sources);
    }
    /// Couplings of settings.yaml; plugins have some of their own.
    static std::vector<resolve::Coupling> ours(const resolve::Problem& problem) {
        std::vector<resolve::Coupling> couplings;
        for (const auto& coupling : problem.couplings) {
            if (coupling.origin.text.starts_with("settings.yaml")) {
                couplings.push_back(coupling);
            }
        }
        return couplings;
    }
    support::WorkingDirectory here;
};

TEST_F(ProblemRules, OverridesDropsAndPreReleasesKeepTheirOrigin) {
    const auto settings =
        load("overrides: [torch==2.10.0, {drop: triton}]\npackages: {a: {pre_releases: true}}\n");
    resolve::Problem problem;
    add_rules(settings, false, problem);
    const auto& replacement = problem.overrides.at("torch");
    EXPECT_EQ(replacement.specifier.text(), "==2.10.0");
    EXPECT_EQ(replacement.origin, (Origin{Origin::Kind::replacement, "settings.yaml:1"}));
    EXPECT_TRUE(problem.dropped.contains("triton"));
    EXPECT_TRUE(problem.allow_prereleases.contains("a"));
}

TEST_F(ProblemRules, CouplingsBringNothingIntoBuildEnvironments) {
    const auto settings =
        load("couplings: [{when: a, require: b==1, constrain: c==2, because: so}]\n");
    resolve::Problem runtime;
    add_rules(settings, false, runtime);
    const auto couplings = ours(runtime);
    ASSERT_EQ(couplings.size(), 2U);
    EXPECT_TRUE(couplings[0].adds);
    EXPECT_EQ(couplings[0].because, "so");
    EXPECT_FALSE(couplings[1].adds);
    EXPECT_EQ(couplings[1].require.at(0).text(), "c==2");
    resolve::Problem build;
    add_rules(settings, true, build);
    EXPECT_FALSE(ours(build).at(0).adds);
}

TEST_F(ProblemRules, WhatABuildSharesWithTheRuntimeSetIsLockedAndAdded) {
    config::PackageSettings built;
    built.name = "flash-attn";
    built.resolution.match_runtime = {{"flash-attn", "numpy", "torch"}, "plugin.yaml:4"};
    auto runtime = std::make_shared<resolve::Resolution>();
    resolve::Pin pin;
    pin.name = "torch";
    pin.version = *pep::Version::parse("2.10.0");
    runtime->pins.push_back(pin);
    resolve::Problem problem;
    match_runtime({}, built, runtime, problem);
    ASSERT_EQ(problem.roots.size(), 1U);
    EXPECT_EQ(problem.roots[0].requirement.text(), "torch");
    EXPECT_EQ(problem.roots[0].origin.text, "match_runtime of flash-attn (plugin.yaml:4)");
    EXPECT_EQ(problem.locked.at("torch").first.text(), "2.10.0");
}

TEST_F(ProblemRules, BeforeTheRuntimeSetIsKnownTheUsersLinesSayWhatToShare) {
    config::PackageSettings built;
    built.name = "flash-attn";
    built.resolution.match_runtime = {{"numpy", "torch"}, "plugin.yaml:4"};
    BootstrapRequest request;
    request.constraints.push_back({requirement("torch==2.10.0"), {}});
    resolve::Problem problem;
    match_runtime(request, built, nullptr, problem);
    ASSERT_EQ(problem.roots.size(), 1U);
    EXPECT_EQ(problem.roots[0].requirement.name, "torch");
    EXPECT_TRUE(problem.locked.empty());
}

}  // namespace
}  // namespace wheelforge::engine
