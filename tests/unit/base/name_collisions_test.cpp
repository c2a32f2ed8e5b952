// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/name_collisions.hpp"

namespace wheelforge {
namespace {

std::vector<std::string> told(const std::vector<std::string>& paths) {
    NameCollisions collisions;
    for (const auto& path : paths) {
        collisions.add(path);
    }
    return collisions.notices();
}

constexpr const char* composed = "p/caf\xC3\xA9";
constexpr const char* decomposed = "p/cafe\xCC\x81";

TEST(NameCollisions, NamesThatDifferInLettersAreFine) {
    EXPECT_TRUE(told({"p", "p/a", "p/b", "p/A1", "q", "q/a", composed, "p/cafe"}).empty());
}

TEST(NameCollisions, CaseAloneIsTold) {
    const auto lines = told({"p", "p/README", "p/readme"});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(
        lines.front(),
        "\"p/README\" and \"p/readme\" differ by case only: where file names ignore that, one "
        "overwrites the other"
    );
    EXPECT_EQ(told({"\xC3\x84", "\xC3\xA4"}).size(), 1U);  // A and a with diaeresis
}

TEST(NameCollisions, TheNormalFormAloneIsTold) {
    const auto lines = told({composed, decomposed});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines.front().find("differ by the normal form of Unicode only"), std::string::npos);
    EXPECT_EQ(told({composed, "p/CAFE\xCC\x81"}).size(), 1U);
}

TEST(NameCollisions, WhatLiesBelowFoldersThatCollideIsNotToldAgain) {
    EXPECT_EQ(told({"p", "p/A", "p/A/x", "p/a", "p/a/x", "p/a/y"}).size(), 1U);
}

TEST(NameCollisions, NamesAreMadePrintable) {
    const auto lines = told(
        {"\xE2\x80\xAE"
         "A",
         "\xE2\x80\xAE"
         "a"}
    );  // right-to-left override
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines.front().find("\xE2\x80\xAE"), std::string::npos);
}

TEST(NameCollisions, ManyAreCounted) {
    std::vector<std::string> paths;
    for (int number = 0; number < 30; ++number) {
        paths.push_back("a" + std::to_string(number));
        paths.push_back("A" + std::to_string(number));
    }
    const auto lines = told(paths);
    ASSERT_EQ(lines.size(), 21U);
    EXPECT_EQ(lines.back(), "10 more names differ from others as little");
}

}  // namespace
}  // namespace wheelforge
