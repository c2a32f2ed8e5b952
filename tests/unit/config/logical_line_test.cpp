// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "config/logical_line.hpp"

namespace wheelforge::config {
namespace {

std::vector<LogicalLine> split(std::string_view text) {
    return logical_lines(text, [](const std::string& name) -> std::optional<std::string> {
        static const std::map<std::string, std::string> values{{"TOKEN", "secret"}, {"EMPTY", ""}};
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    });
}

std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> out;
    for (const auto& line : split(text)) {
        out.push_back(line.text());
    }
    return out;
}

std::string place(const LogicalLine& line, std::size_t offset) {
    const auto position = line.position(offset);
    return std::to_string(position.line) + ":" + std::to_string(position.column);
}

using Texts = std::vector<std::string>;

TEST(LogicalLine, LeavesOutBlankAndCommentLines) {
    EXPECT_EQ(texts("# one\n\na\n  # two\n \t \nb"), (Texts{"a", "b"}));
    EXPECT_EQ(texts(""), Texts{});
}

TEST(LogicalLine, CommentsNeedABlankBefore) {
    EXPECT_EQ(
        texts("a # c\nb#c\nd @ https://x/y#egg=d # c\ne\t#c"),
        (Texts{"a", "b#c", "d @ https://x/y#egg=d", "e"})
    );
}

TEST(LogicalLine, EndsInLfCrlfOrCr) {
    EXPECT_EQ(texts("a\r\nb\rc\nd"), (Texts{"a", "b", "c", "d"}));
    EXPECT_EQ(place(split("a\r\nb\rc").at(2), 0), "3:1");
}

TEST(LogicalLine, BackslashJoins) {
    EXPECT_EQ(texts("a \\\n  --hash=x \\\n  --hash=y\nb"), (Texts{"a   --hash=x   --hash=y", "b"}));
    EXPECT_EQ(texts("ab\\\ncd"), Texts{"abcd"});
    EXPECT_EQ(texts("a\\\r\nb"), Texts{"ab"});
    EXPECT_EQ(texts("a \\"), Texts{"a"});
}

TEST(LogicalLine, CommentLineEndsTheJoining) {
    EXPECT_EQ(texts("a \\\n# comment \\\nb"), (Texts{"a", "b"}));
    EXPECT_EQ(texts("a\\\n# comment\nb"), (Texts{"a", "b"}));
}

TEST(LogicalLine, CommentAfterTextGoesOnOverTheBackslash) {
    EXPECT_EQ(texts("a # comment \\\nb"), Texts{"a"});
}

TEST(LogicalLine, BlankAfterTheBackslashDoesNotJoin) {
    EXPECT_EQ(texts("a \\ \nb"), (Texts{"a \\", "b"}));
}

TEST(LogicalLine, PutsInVariablesOfUpperCase) {
    EXPECT_EQ(texts("-i https://${TOKEN}@host"), Texts{"-i https://secret@host"});
    EXPECT_EQ(texts("a${EMPTY}b"), Texts{"ab"});
    EXPECT_EQ(
        texts("${token} $TOKEN ${UNSET} ${} ${TOKEN"), Texts{"${token} $TOKEN ${UNSET} ${} ${TOKEN"}
    );
}

TEST(LogicalLine, VariablesArePutInOnceAndAfterComments) {
    EXPECT_EQ(
        logical_lines("${A}", [](const std::string&) { return "${A} # x"; }).at(0).text(),
        "${A} # x"
    );
}

TEST(LogicalLine, EveryCharacterKnowsItsPlace) {
    const auto lines = split("\n  ab \\\n   cd${TOKEN}e # x\n");
    ASSERT_EQ(lines.size(), 1U);
    const auto& line = lines[0];
    EXPECT_EQ(line.text(), "ab    cdsecrete");
    EXPECT_EQ(place(line, 0), "2:3");
    EXPECT_EQ(place(line, 1), "2:4");
    EXPECT_EQ(place(line, 6), "3:4");   // c
    EXPECT_EQ(place(line, 8), "3:6");   // s, the first character of the value
    EXPECT_EQ(place(line, 13), "3:6");  // t, its last
    EXPECT_EQ(place(line, 14), "3:14");
    EXPECT_EQ(place(line, 15), "3:15");  // just behind the end
}

}  // namespace
}  // namespace wheelforge::config
