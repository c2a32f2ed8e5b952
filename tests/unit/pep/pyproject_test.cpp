// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>

#include <gtest/gtest.h>

#include "pep/build_backend.hpp"
#include "pep/pyproject.hpp"
#include "pep/toml_depth.hpp"

namespace wheelforge::pep {
namespace {

TEST(BuildSystem, IsTheLegacyOneWithoutATable) {
    for (const char* text : {"", "[tool.x]\ny = 1\n"}) {
        const BuildSystem system = parsed<Pyproject>(text).build_system;
        EXPECT_TRUE(system.legacy);
        EXPECT_EQ(system.backend, "setuptools.build_meta:__legacy__");
        EXPECT_EQ(system.requires_text, (std::vector<std::string>{"setuptools >= 40.8.0"}));
        EXPECT_EQ(system.requires_.at(0).text(), "setuptools>=40.8.0");
    }
}

TEST(BuildSystem, KeepsItsRequirementsWhereTheBackendIsNotNamed) {
    const auto system = parsed<Pyproject>("[build-system]\nrequires = ['a']\n").build_system;
    EXPECT_TRUE(system.legacy);
    EXPECT_EQ(system.backend, "setuptools.build_meta:__legacy__");
    EXPECT_EQ(system.requires_text, (std::vector<std::string>{"a"}));
}

TEST(BuildSystem, IsReadAsWritten) {
    const auto system =
        parsed<Pyproject>(
            "[build-system]\nrequires = ['Flit_Core >=3,<4', 'b; os_name == \"x\"']\n"
            "build-backend = 'backend.api:main.hooks'\nbackend-path = ['.', 'src/../tools']\n"
        )
            .build_system;
    EXPECT_FALSE(system.legacy);
    EXPECT_EQ(system.requires_text.at(0), "Flit_Core >=3,<4");
    EXPECT_EQ(system.requires_.at(0).text(), "flit-core<4,>=3");
    EXPECT_EQ(system.backend, "backend.api:main.hooks");
    EXPECT_EQ(system.backend_path, (std::vector<std::string>{".", "src/../tools"}));
}

TEST(BuildSystem, RefusesWhatCannotWorkAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 12> wrong{{
        {"[build-system]\n", 0},
        {"build-system = 1\n", 15},
        {"[build-system]\nrequires = 'a'\n", 26},
        {"[build-system]\nrequires = [1]\n", 27},
        {"[build-system]\nrequires = ['a>=']\n", 26},
        {"[build-system]\nrequires = []\nbuild-backend = 1\n", 45},
        {"[build-system]\nrequires = []\nbuild-backend = 'a;b'\n", 45},
        {"[build-system]\nrequires = []\nbuild-backend = ''\n", 45},
        {"[build-system]\nrequires=[]\nbuild-backend='a'\nbackend-path=['..']\n", 58},
        {"[build-system]\nrequires=[]\nbuild-backend='a'\nbackend-path=['/x']\n", 58},
        {"[build-system]\nrequires=[]\nbackend-path=['.']\n", 40},
        {"[build-system\n", 13},
    }};
    for (const auto& [text, offset] : wrong) {
        EXPECT_EQ(error_offset(Pyproject::parse(text)), offset) << text;
    }
}

TEST(BuildSystem, PathsOfTheBackendStayInTheTree) {
    for (const char* good : {".", "a", "a/b", "a/../b", "./a", "a/.."}) {
        EXPECT_TRUE(stays_in_tree(good)) << good;
    }
    for (const char* bad : {"", "..", "/a", "a/../..", "../a", "a/../../a", "./.."}) {
        EXPECT_FALSE(stays_in_tree(bad)) << bad;
    }
}

TEST(Project, HasWhatIsStatic) {
    const auto project =
        *parsed<Pyproject>(
             "[project]\nname = 'Foo_Bar'\nversion = '1.0'\nrequires-python = '>=3.8'\n"
             "dependencies = ['a>=1']\n[project.optional-dependencies]\nX_y = ['b']\n"
        )
             .project;
    EXPECT_EQ(project.name, "Foo_Bar");
    EXPECT_EQ(project.version, "1.0");
    EXPECT_EQ(project.requires_python, ">=3.8");
    EXPECT_EQ(project.dependencies->at(0).text(), "a>=1");
    EXPECT_EQ(project.optional_dependencies->at(0).first, "x-y");
    EXPECT_EQ(project.optional_dependencies->at(0).second.at(0).text(), "b");
}

TEST(Project, NothingSaidIsNothingNeeded) {
    const auto project = *parsed<Pyproject>("[project]\nname = 'a'\n").project;
    EXPECT_TRUE(project.dependencies->empty());
    EXPECT_TRUE(project.optional_dependencies->empty());
    EXPECT_EQ(project.version, std::nullopt);
    EXPECT_FALSE(parsed<Pyproject>("").project);
}

TEST(Project, WhatIsDynamicIsNotKnownEvenIfPartOfItStandsThere) {
    const auto project = *parsed<Pyproject>("[project]\nname = 'a'\ndynamic = ['dependencies', "
                                            "'optional-dependencies', 'version']\n"
                                            "dependencies = ['b']\n")
                              .project;
    EXPECT_EQ(project.dependencies, std::nullopt);
    EXPECT_EQ(project.optional_dependencies, std::nullopt);
    EXPECT_EQ(project.dynamic.size(), 3U);
}

TEST(Project, RefusesValuesOfTheWrongType) {
    for (const char* text :
         {"[project]\n",
          "[project]\nname = 1\n",
          "[project]\nname = '../a'\n",
          "[project]\nname = 'a'\nversion = 1.0\n",
          "[project]\nname = 'a'\ndependencies = 'b'\n",
          "[project]\nname = 'a'\ndependencies = ['b>=']\n",
          "project = []\n",
          "[project]\nname = 'a'\noptional-dependencies = ['b']\n",
          "[project]\nname = 'a'\n[project.optional-dependencies]\na-b = []\nA_b = []\n"}) {
        EXPECT_FALSE(Pyproject::parse(text)) << text;
    }
}

TEST(Pyproject, KeysHaveALimitOnTheirDots) {
    std::string key = "a";
    for (int i = 0; i < 100'000; ++i) {
        key += ".a";
    }
    EXPECT_FALSE(Pyproject::parse(key + " = 1\n"));
    EXPECT_FALSE(Pyproject::parse("[" + key + "]\n"));
    EXPECT_FALSE(Pyproject::parse("x = {" + key + " = 1}\n"));
    const std::string dots(100, '.');
    for (const std::string& harmless :
         {"x = '" + dots + "'\n",
          "x = \"\\\"" + dots + "\"\n",
          "# " + dots + "\nx = 1\n",
          "x = '''\n'" + dots + "'''\n",
          "x = \"\"\"a\\\"\"\"" + dots + "\"\"\"\n"}) {
        EXPECT_EQ(find_overlong_toml_key(harmless), std::nullopt) << harmless;
    }
}

}  // namespace
}  // namespace wheelforge::pep
