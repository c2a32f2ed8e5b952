// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/position.hpp"

namespace wheelforge {
namespace {

TEST(Position, CountsLinesAndColumnsFromOne) {
    EXPECT_EQ(position_in("", 0), "1:1");
    EXPECT_EQ(position_in("ab\ncd", 1), "1:2");
    EXPECT_EQ(position_in("ab\ncd", 2), "1:3");
    EXPECT_EQ(position_in("ab\ncd", 3), "2:1");
    EXPECT_EQ(position_in("ab\n", 3), "2:1");
}

TEST(Position, CountsCharactersNotBytes) {
    EXPECT_EQ(position_in("\u00e4\u20acx", 5), "1:3");
}

TEST(Position, EndsWhereTheTextEnds) {
    EXPECT_EQ(position_in("ab", 99), "1:3");
}

}  // namespace
}  // namespace wheelforge
