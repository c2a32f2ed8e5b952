// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <algorithm>

#include <gtest/gtest.h>

#include "pep/tags.hpp"

namespace wheelforge::pep {
namespace {

Target target(std::string_view python, const char* machine = "x86_64", bool free_threaded = false) {
    return cpython_linux_target(parsed<Version>(python), machine, 2, 28, free_threaded);
}

std::ptrdiff_t place(const Target& where, std::string_view tag) {
    const auto found = std::find_if(where.tags.begin(), where.tags.end(), [&](const Tag& each) {
        return each.text() == tag;
    });
    return found == where.tags.end() ? -1 : found - where.tags.begin();
}

int rank(const Target& where, std::string_view tag_set) {
    return where.rank(parse_tag_set(tag_set).value());
}

TEST(TagSet, IsTheProductOfItsParts) {
    const auto tags = parse_tag_set("cp312.CP313-abi3-linux_x86_64.manylinux_2_28_x86_64").value();
    ASSERT_EQ(tags.size(), 4U);
    EXPECT_EQ(tags[0].text(), "cp312-abi3-linux_x86_64");
    EXPECT_EQ(tags[3].text(), "cp313-abi3-manylinux_2_28_x86_64");
}

TEST(TagSet, RefusesWhatIsNoneAndSaysWhere) {
    EXPECT_EQ(error_offset(parse_tag_set("py3-none")), 0);
    EXPECT_EQ(error_offset(parse_tag_set("py3-none-any-x")), 0);
    EXPECT_EQ(error_offset(parse_tag_set("py3--any")), 4);
    EXPECT_EQ(error_offset(parse_tag_set("py3-none-any.")), 13);
    EXPECT_EQ(error_offset(parse_tag_set("3py-none-any")), 0);
    EXPECT_EQ(error_offset(parse_tag_set("py3-no\x1bne-any")), 6);
}

TEST(TagSet, HasALimit) {
    std::string part = "a";
    for (int i = 0; i < 200; ++i) {
        part += ".a";
    }
    EXPECT_TRUE(parse_tag_set(part + "-none-any"));
    EXPECT_FALSE(parse_tag_set(part + "-" + part + "-" + part));
}

TEST(Target, PrefersItsOwnAbiThenTheStableOneThenNone) {
    const Target cpython = target("3.12.1");
    EXPECT_EQ(cpython.tags.front().text(), "cp312-cp312-linux_x86_64");
    EXPECT_EQ(cpython.tags.back().text(), "py30-none-any");
    const std::array<std::string_view, 9> order{
        "cp312-cp312-linux_x86_64",
        "cp312-cp312-manylinux_2_28_x86_64",
        "cp312-cp312-manylinux_2_17_x86_64",
        "cp312-cp312-manylinux2014_x86_64",
        "cp312-abi3-linux_x86_64",
        "cp312-none-linux_x86_64",
        "cp39-abi3-manylinux1_x86_64",
        "py312-none-linux_x86_64",
        "cp312-none-any",
    };
    for (std::size_t i = 1; i < order.size(); ++i) {
        EXPECT_LT(place(cpython, order.at(i - 1)), place(cpython, order.at(i))) << order.at(i);
    }
}

TEST(Target, TakesNoTagOfANewerSystemOrAnotherOne) {
    const Target cpython = target("3.12.1");
    for (const char* tag :
         {"cp312-cp312-manylinux_2_29_x86_64",
          "cp313-cp313-linux_x86_64",
          "cp313-abi3-linux_x86_64",
          "cp312-cp312-musllinux_1_2_x86_64",
          "cp312-cp312-linux_aarch64",
          "cp311-cp311-linux_x86_64",
          "cp312-cp312t-linux_x86_64",
          "py313-none-any"}) {
        EXPECT_EQ(place(cpython, tag), -1) << tag;
    }
}

TEST(Target, FreeThreadedPythonHasAnAbiAndAStableAbiOfItsOwn) {
    const Target cpython = target("3.15.0", "x86_64", true);
    EXPECT_EQ(cpython.tags.front().text(), "cp315-cp315t-linux_x86_64");
    EXPECT_GE(place(cpython, "cp315-abi3t-linux_x86_64"), 0);
    EXPECT_GE(place(cpython, "cp314-abi3t-linux_x86_64"), 0);
    EXPECT_EQ(place(cpython, "cp315-abi3-linux_x86_64"), -1);
    EXPECT_EQ(place(cpython, "cp315-cp315-linux_x86_64"), -1);
}

TEST(Target, OldManylinuxBeginsWhereTheMachineDid) {
    EXPECT_GE(place(target("3.12"), "cp312-cp312-manylinux1_x86_64"), 0);
    EXPECT_EQ(place(target("3.12", "aarch64"), "cp312-cp312-manylinux2010_aarch64"), -1);
    EXPECT_GE(place(target("3.12", "aarch64"), "cp312-cp312-manylinux2014_aarch64"), 0);
    EXPECT_EQ(place(target("3.12", "mips"), "cp312-cp312-manylinux_2_28_mips"), -1);
}

TEST(Target, RankIsThatOfTheBestTag) {
    const Target cpython = target("3.12.1");
    EXPECT_EQ(rank(cpython, "cp312-cp312-linux_x86_64"), 0);
    EXPECT_EQ(rank(cpython, "cp311.cp312-cp312-linux_x86_64"), 0);
    EXPECT_GT(rank(cpython, "py2.py3-none-any"), rank(cpython, "cp312-none-any"));
    EXPECT_EQ(rank(cpython, "cp312-cp312-win_amd64"), -1);
    EXPECT_EQ(cpython.rank({}), -1);
}

TEST(Target, MarkersHaveAllElevenVariables) {
    const Target cpython = target("3.13", "aarch64");
    EXPECT_EQ(cpython.markers.size(), 11U);
    EXPECT_EQ(cpython.markers.at("python_version"), "3.13");
    EXPECT_EQ(cpython.markers.at("python_full_version"), "3.13.0");
    EXPECT_EQ(cpython.markers.at("platform_machine"), "aarch64");
    EXPECT_EQ(target("3.14.0rc2").markers.at("implementation_version"), "3.14.0rc2");
}

TEST(Target, SurvivesVersionsThatNoPythonHas) {
    EXPECT_FALSE(target("3").tags.empty());
    EXPECT_FALSE(target("99999999999999999999999.99999999999999999999999").tags.empty());
}

}  // namespace
}  // namespace wheelforge::pep
