// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace wheelforge {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

/// What parse_json says is wrong; fails the test where it finds nothing.
ParseError refusal(std::string_view text) {
    const auto parsed = parse_json(text);
    EXPECT_FALSE(parsed.has_value()) << text.substr(0, 80);
    return parsed ? ParseError{"nothing", 0} : parsed.error();
}

TEST(Json, KeepsTheOrderOfKeys) {
    const auto value = parse_json(R"({"z": 1, "a": [true, null, -2, 1.5, "ü"], "m": {}})");
    ASSERT_TRUE(value);
    EXPECT_EQ(dump_json_line(*value), R"({"z":1,"a":[true,null,-2,1.5,"ü"],"m":{}})");
}

TEST(Json, TakesAnyValueAtTheTop) {
    for (const auto* text : {"1", "\"x\"", "null", "[]", " {} \n"}) {
        EXPECT_TRUE(parse_json(text)) << text;
    }
}

TEST(Json, RefusesDuplicateKeysWithTheirPlace) {
    const auto error = refusal(R"({"a": {"b": 1, "b": 2}})");
    EXPECT_EQ(error.message, R"(key "b" stands twice in one object)");
    EXPECT_EQ(error.offset, 17U);
    EXPECT_TRUE(parse_json(R"([{"a": 1}, {"a": 2}])"));
    EXPECT_TRUE(parse_json(R"({"a": {"a": 1}})"));
}

TEST(Json, FindsDuplicatesAmongManyKeysQuickly) {
    std::string text = "{";
    for (int i = 0; i < 20'000; ++i) {
        text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    }
    const auto large = parse_json(text + "\"last\":0}");
    ASSERT_TRUE(large);
    EXPECT_EQ(large->size(), 20'001U);
    EXPECT_NE(refusal(text + "\"k3\":0}").message.find("k3"), std::string::npos);
    EXPECT_NE(refusal(text + "\"k19999\":0}").message.find("k19999"), std::string::npos);
}

TEST(Json, RefusesWhatIsNestedDeeperThan200) {
    EXPECT_TRUE(parse_json(repeated("[", 200) + repeated("]", 200)));
    EXPECT_EQ(refusal(repeated("[", 201) + repeated("]", 201)).message, "nested deeper than 200");
    EXPECT_EQ(refusal(repeated("{\"a\":", 100'000)).message, "nested deeper than 200");
}

TEST(Json, RefusesWhatIsNoJson) {
    for (const auto* text :
         {"",
          "[1] x",
          "[1][2]",
          "{",
          "[1,]",
          "{a: 1}",
          "'x'",
          "NaN",
          "[Infinity]",
          "01",
          "1e999",
          "-1e999",
          "[1] // comment",
          "\"\xff\"",
          "\"\xed\xa0\x80\"",
          R"("\ud800")",
          "\"a\nb\""}) {
        EXPECT_FALSE(parse_json(text)) << text;
    }
}

TEST(Json, EscapesHostileTextInItsMessages) {
    const auto error = refusal("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}");
    EXPECT_EQ(error.message, "key \"\\x1b[31m\" stands twice in one object");
}

TEST(Json, SaysWhereInTheText) {
    EXPECT_EQ(refusal("[1, 2, x]").offset, 7U);
    EXPECT_EQ(refusal("").offset, 0U);
}

TEST(Json, WritesIndentedWithOneNewline) {
    EXPECT_EQ(dump_json(Json{{"a", {1, 2}}}), "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
}

TEST(Json, ReplacesInvalidUtf8WhenWriting) {
    EXPECT_EQ(dump_json_line(Json("a\xff")), "\"a\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace wheelforge
