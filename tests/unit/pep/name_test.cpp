// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"

#include <gtest/gtest.h>

#include "pep/name.hpp"

namespace wheelforge::pep {
namespace {

TEST(Name, BeginsAndEndsWithALetterOrDigit) {
    for (const char* good :
         {"a",
          "A",
          "1",
          "a1",
          "Foo.Bar",
          "a-_.b",
          "x"
          "-"
          "y"}) {
        EXPECT_TRUE(is_valid_name(good)) << good;
    }
    for (const char* bad : {"", "-", "a-", "-a", "_a", "a.", "a b", "a/b", "..", "caf\xC3\xA9"}) {
        EXPECT_FALSE(is_valid_name(bad)) << bad;
    }
}

TEST(Name, NormalFormIsLowerCaseWithOneDashForEachRunOfSeparators) {
    EXPECT_EQ(normalize_name("Foo.Bar"), "foo-bar");
    EXPECT_EQ(normalize_name("a-_.b"), "a-b");
    EXPECT_EQ(normalize_name("zope.interface"), "zope-interface");
    EXPECT_EQ(normalize_name("_a_"), "-a-");
    EXPECT_EQ(normalize_name(""), "");
}

TEST(Name, NormalFormOfANormalFormIsItself) {
    for (const char* name : {"foo", "foo-bar", "a1", "-a-", "Foo__Bar"}) {
        EXPECT_EQ(normalize_name(normalize_name(name)), normalize_name(name));
    }
}

TEST(Name, ParsingPointsAtTheFirstBadByte) {
    EXPECT_EQ(parse_name("Foo_Bar").value(), "foo-bar");
    EXPECT_EQ(error_offset(parse_name("")), 0);
    EXPECT_EQ(error_offset(parse_name("../x")), 0);
    EXPECT_EQ(error_offset(parse_name("a/b")), 1);
    EXPECT_EQ(error_offset(parse_name("ab-")), 2);
}

TEST(Name, FormForFileNamesHasUnderscores) {
    EXPECT_EQ(filename_form("Foo.Bar-baz"), "foo_bar_baz");
}

}  // namespace
}  // namespace wheelforge::pep
