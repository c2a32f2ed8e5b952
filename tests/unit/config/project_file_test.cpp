// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "config/project_file.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {
namespace {

using support::thrown_error;
using Texts = std::vector<std::string>;

ProjectFile parsed(std::string_view text, const std::string& path = "wheelforge.yaml") {
    return ProjectFile::parse(text, path);
}

std::string refused_id(std::string_view text) {
    return thrown_error([&] { (void)parsed(text); }).id();
}

TEST(ProjectFile, TellsFilesFromRequirements) {
    const auto variant = parsed("requirements:\n"
                                "  - requirements.txt\n"
                                "  - sub/list\n"
                                "  - \"triton>=3.4; python_version > '3.9'\"\n"
                                "  - torch @ https://host/a/torch.tar.gz\n"
                                "  - click\n")
                             .for_variant("cpu");
    EXPECT_EQ(variant.requirement_files, (Texts{"requirements.txt", "sub/list"}));
    ASSERT_EQ(variant.requirements.size(), 3U);
    EXPECT_EQ(variant.requirements[0].requirement.text(), "triton>=3.4; python_version > \"3.9\"");
    EXPECT_EQ(variant.requirements[0].origin, "wheelforge.yaml:4");
    EXPECT_EQ(variant.requirements[1].requirement.url, "https://host/a/torch.tar.gz");
    EXPECT_EQ(variant.requirements[2].requirement.name, "click");
}

TEST(ProjectFile, VariantReplacesWhatHoldsForAll) {
    const auto project = parsed("requirements: [all.txt, click]\n"
                                "constraints: [common.txt]\n"
                                "settings: overrides\n"
                                "output: out\n"
                                "archs: [gfx90a]\n"
                                "variants:\n"
                                "  rocm:\n"
                                "    requirements: [rocm.txt]\n"
                                "    archs: [gfx950, gfx942]\n"
                                "  cpu:\n");
    EXPECT_EQ(project.variants(), (Texts{"cpu", "rocm"}));
    const auto rocm = project.for_variant("rocm");
    EXPECT_EQ(rocm.requirement_files, Texts{"rocm.txt"});
    EXPECT_TRUE(rocm.requirements.empty());
    EXPECT_EQ(rocm.constraints, Texts{"common.txt"});
    EXPECT_EQ(rocm.archs, (Texts{"gfx950", "gfx942"}));
    EXPECT_EQ(rocm.settings, "overrides");
    EXPECT_EQ(rocm.output, "out");
    const auto cpu = project.for_variant("cpu");
    EXPECT_EQ(cpu.requirement_files, Texts{"all.txt"});
    EXPECT_EQ(cpu.requirements.size(), 1U);
    EXPECT_EQ(cpu.archs, Texts{"gfx90a"});
}

TEST(ProjectFile, EmptyListTakesAwayWhatHoldsForAll) {
    const auto project = parsed("constraints: [c.txt]\nvariants: {cpu: {constraints: []}}\n");
    EXPECT_TRUE(project.for_variant("cpu").constraints.empty());
}

TEST(ProjectFile, UnknownVariantNamesThoseThereAre) {
    const auto project = parsed("variants: {rocm: {}, cpu: {}}\n");
    const auto error = thrown_error([&] { (void)project.for_variant("cuda"); });
    EXPECT_EQ(error.id(), "unknown-variant");
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_EQ(error.advice().at(0), "it has: cpu, rocm");
}

TEST(ProjectFile, WithoutVariantsHoldsForAnyOfThem) {
    EXPECT_EQ(parsed("requirements: [r.txt]").for_variant("x").requirement_files, Texts{"r.txt"});
    EXPECT_TRUE(parsed("").for_variant("x").requirement_files.empty());
    EXPECT_TRUE(parsed("variants:\n").variants().empty());
}

TEST(ProjectFile, PathsAreRelativeToIt) {
    const auto variant =
        parsed(
            "requirements: [r.txt]\nconstraints: [sub/c.txt, /abs/c.txt, https://host/c.txt]\n"
            "settings: s\noutput: ../out\n",
            "project/wheelforge.yaml"
        )
            .for_variant("cpu");
    EXPECT_EQ(variant.requirement_files, Texts{"project/r.txt"});
    EXPECT_EQ(
        variant.constraints, (Texts{"project/sub/c.txt", "/abs/c.txt", "https://host/c.txt"})
    );
    EXPECT_EQ(variant.settings, "project/s");
    EXPECT_EQ(variant.output, "project/../out");
}

TEST(ProjectFile, RefusesUnknownKeysAndWrongKinds) {
    EXPECT_EQ(refused_id("requirement: [a]"), "unknown-key");
    EXPECT_EQ(refused_id("variants: {cpu: {variants: {}}}"), "unknown-key");
    for (const auto* text :
         {"requirements: a",
          "requirements: [[a]]",
          "requirements: [~]",
          "constraints: {a: b}",
          "archs: gfx942",
          "output: [a]",
          "output: ''",
          "settings: {a: b}",
          "variants: [cpu]",
          "variants: {cpu: x}",
          "[a]"}) {
        EXPECT_EQ(refused_id(text), "bad-value") << text;
    }
}

TEST(ProjectFile, RefusesBadRequirementsWithTheirPlace) {
    const auto error = thrown_error([] { (void)parsed("requirements:\n  - a =< 1\n"); });
    EXPECT_EQ(error.id(), "bad-requirement");
    EXPECT_EQ(error.message().substr(0, 20), "wheelforge.yaml:2:5:");
    EXPECT_EQ(refused_id("requirements: [./folder@x]"), "bad-requirement");
}

TEST(ProjectFile, IsOptional) {
    const support::WorkingDirectory here;
    EXPECT_FALSE(ProjectFile::load_if_there());
    here.write("wheelforge.yaml", "output: here\n");
    const auto project = ProjectFile::load_if_there();
    ASSERT_TRUE(project);
    EXPECT_EQ(project->for_variant("cpu").output, "here");
    EXPECT_EQ(project->path(), "wheelforge.yaml");
}

}  // namespace
}  // namespace wheelforge::config
