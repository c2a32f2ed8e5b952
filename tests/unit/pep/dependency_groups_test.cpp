// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"

#include <gtest/gtest.h>

#include "pep/dependency_groups.hpp"
#include "pep/pyproject.hpp"

namespace wheelforge::pep {
namespace {

/// The requirements of a group, or the error in brackets.
std::string group(const std::string& groups, std::string_view name) {
    const auto resolved =
        parsed<Pyproject>("[dependency-groups]\n" + groups).dependency_groups.resolve(name);
    if (!resolved) {
        return "[" + resolved.error().message + "]";
    }
    std::string text;
    for (const Requirement& requirement : *resolved) {
        text += (text.empty() ? "" : " ") + requirement.text();
    }
    return text;
}

TEST(DependencyGroups, IncludesStandInPlace) {
    EXPECT_EQ(group("a = ['x', {include-group = 'b'}, 'y>=1']\nb = ['z']\n", "a"), "x z y>=1");
    EXPECT_EQ(group("a = [{include-group = 'b'}, {include-group = 'b'}]\nb = ['z']\n", "a"), "z z");
    EXPECT_EQ(group("a = []\n", "a"), "");
}

TEST(DependencyGroups, NamesAreComparedInNormalForm) {
    EXPECT_EQ(group("A_b = [{include-group = 'C.d'}]\nc-D = ['z']\n", "a.B"), "z");
    EXPECT_EQ(group("a-b = []\nA_b = []\n", "a-b"), "[two dependency groups are called a-b]");
}

TEST(DependencyGroups, RingsAreRefused) {
    EXPECT_EQ(
        group("a = [{include-group = 'a'}]\n", "a"), "[the dependency group a includes itself]"
    );
    EXPECT_EQ(
        group("a = [{include-group = 'b'}]\nb = [{include-group = 'A'}]\n", "a"),
        "[the dependency group a includes itself]"
    );
}

TEST(DependencyGroups, AGroupThatNobodyAsksForMayHoldAnything) {
    const std::string groups =
        "good = ['x']\nbad = ['x>=']\nodd = [1]\nworse = 'x'\nmore = [{a = 'b'}]\n";
    EXPECT_EQ(group(groups, "good"), "x");
    for (const char* name : {"bad", "odd", "worse", "more", "none"}) {
        EXPECT_EQ(group(groups, name).front(), '[') << name;
    }
}

TEST(DependencyGroups, DoublingAtEveryStepIsStopped) {
    std::string groups = "g0 = ['x']\n";
    for (int i = 1; i < 40; ++i) {
        const std::string include = "{include-group = 'g" + std::to_string(i - 1) + "'}";
        groups += "g" + std::to_string(i) + " = [" + include + ", " + include + "]\n";
    }
    EXPECT_EQ(
        group(groups, "g5"), "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x"
    );
    EXPECT_EQ(group(groups, "g39").front(), '[');
}

}  // namespace
}  // namespace wheelforge::pep
