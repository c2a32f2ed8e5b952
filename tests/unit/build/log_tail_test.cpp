// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "build/diagnosis.hpp"

namespace wheelforge::build {
namespace {

class LogTail : public ::testing::Test {
protected:
    std::string tail(const std::string& content, std::size_t bytes = 64U << 10U) {
        write_file(folder_.path() / "log", content);
        return log_tail(folder_.path() / "log", bytes);
    }
    TempDir folder_{fs::temp_directory_path(), "wheelforge-unit-"};
};

TEST_F(LogTail, IsTheWholeOfAShortLog) {
    EXPECT_EQ(tail("a\nb"), "a\nb\n");
    EXPECT_EQ(tail(""), "");
}

TEST_F(LogTail, StartsAtALine) {
    EXPECT_EQ(tail("first\nsecond\nthird\n", 10), "third\n");
    EXPECT_EQ(tail("0123456789", 4), "6789\n");  // one endless line: better than nothing
}

TEST_F(LogTail, IsSafeToPrint) {
    EXPECT_EQ(tail("\x1b[31;1mred\x1b[0m\x1b]0;title\a!\n"), "red!\n");
    EXPECT_EQ(tail("bell \a\n"), "bell \\x07\n");
    EXPECT_EQ(tail("bad \xff\n"), "bad \\xff\n");
    EXPECT_EQ(tail("ends in escape \x1b"), "ends in escape \\x1b\n");
    EXPECT_EQ(tail("cut \x1b[31"), "cut \n");
}

TEST_F(LogTail, ShowsTheLastStateOfAProgressLine) {
    EXPECT_EQ(tail("10%\r50%\r100%\r\nnext\tcolumn\r\n"), "100%\nnext    column\n");
}

TEST_F(LogTail, NeedsALog) {
    EXPECT_THROW(static_cast<void>(log_tail("/nonexistent/log")), Error);
}

TEST(LastLines, AreThoseWithText) {
    const std::vector<std::string> expected = {"b", "  c"};
    EXPECT_EQ(last_lines("a\n\nb\n   \n  c\n\n", 2), expected);
    EXPECT_EQ(last_lines("a\n", 5).size(), 1U);
    EXPECT_TRUE(last_lines("", 5).empty());
}

}  // namespace
}  // namespace wheelforge::build
