// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "index/ini.hpp"

namespace wheelforge::index {
namespace {

std::string told(std::string_view text) {
    const auto ini = parse_ini(text);
    if (!ini) {
        return ini.error().message + " at " + std::to_string(ini.error().offset);
    }
    std::string result;
    for (const auto& [name, section] : *ini) {
        for (const auto& [key, value] : section) {
            result += name + "." + key + "=" + value + ";";
        }
    }
    return result;
}

TEST(Ini, ReadsSectionsAndBothDelimiters) {
    EXPECT_EQ(
        told("[global]\nIndex-URL = https://h/?a=b\n[x]\nk: v = w\n"),
        "global.index-url=https://h/?a=b;x.k=v = w;"
    );
}

TEST(Ini, ValuesGoOnInDeeperLines) {
    EXPECT_EQ(told("[g]\nk =\n  a\n  b\n\n  c\nl = d\n"), "g.k=a\nb\n\nc;g.l=d;");
    EXPECT_EQ(told("[g]\n  k = a\n  l = b\n    c"), "g.k=a;g.l=b\nc;");
    EXPECT_EQ(told("[g]\nk = a\n  [h]\n"), "g.k=a\n[h];");
}

TEST(Ini, CommentsAreWholeLines) {
    EXPECT_EQ(told("# c\n; c\n[g]\nk = a # b ; c\n  # between\n  d\n"), "g.k=a # b ; c\nd;");
}

TEST(Ini, InheritsFromDefault) {
    EXPECT_EQ(told("[DEFAULT]\na = 1\nb = 2\n[g]\nb = 3\n"), "g.a=1;g.b=3;");
}

TEST(Ini, TakesWindowsLinesAndAByteOrderMark) {
    EXPECT_EQ(told("\xef\xbb\xbf[g]\r\nk = v\r\n"), "g.k=v;");
}

TEST(Ini, IsRefusedWhereItMakesNoSense) {
    EXPECT_EQ(told("k = v"), "a line stands before the first [section] at 0");
    EXPECT_EQ(told("[g]\nword\n"), "expected 'key = value' at 4");
    EXPECT_EQ(told("[g]\n= v\n"), "expected 'key = value' at 4");
    EXPECT_EQ(told("[g]\nk=1\nK=2\n"), "'k' is there twice at 8");
    EXPECT_EQ(told("[g]\n[g]\n"), "section [g] is there twice at 4");
    EXPECT_EQ(told("[g\n"), "a section header has no name or no ']' at 0");
    EXPECT_EQ(told("[]\n"), "a section header has no name or no ']' at 0");
}

}  // namespace
}  // namespace wheelforge::index
