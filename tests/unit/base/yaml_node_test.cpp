// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "base/yaml.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::yaml {
namespace {

using support::thrown_error;

Node value(const std::string& text) {
    return *parse("k: " + text, "f").find("k");
}

template <typename Read>
std::string refusal(const std::string& text, Read read) {
    const auto error = thrown_error([&] { (void)read(value(text)); });
    EXPECT_EQ(error.id(), "bad-value") << text;
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.message();
}

TEST(YamlNode, BooleansAreTrueAndFalseOnly) {
    const auto read = [](const Node& node) { return node.as_bool(); };
    EXPECT_TRUE(value("true").as_bool());
    EXPECT_FALSE(value("false").as_bool());
    for (const auto* text : {"yes", "no", "on", "True", "1", "'true'", "", "[true]"}) {
        EXPECT_NE(refusal(text, read).find("true or false"), std::string::npos) << text;
    }
    EXPECT_EQ(refusal("yes", read), "f:1:4: 'k': expected true or false, got 'yes'");
}

TEST(YamlNode, IntegersAreDecimalAndFit) {
    const auto read = [](const Node& node) { return node.as_int(); };
    EXPECT_EQ(value("0").as_int(), 0);
    EXPECT_EQ(value("-12").as_int(), -12);
    EXPECT_EQ(value("9223372036854775807").as_int(), std::numeric_limits<std::int64_t>::max());
    for (const auto* text :
         {"010",
          "-010",
          "0x10",
          "1.0",
          "1_000",
          "9223372036854775808",
          "+1",
          "'1'",
          "one",
          "",
          "1e3",
          "{a: 1}"}) {
        EXPECT_NE(refusal(text, read).find("whole number"), std::string::npos) << text;
    }
}

TEST(YamlNode, NumbersAreFinite) {
    const auto read = [](const Node& node) { return node.as_number(); };
    EXPECT_DOUBLE_EQ(value("1.5").as_number(), 1.5);
    EXPECT_DOUBLE_EQ(value("-2").as_number(), -2);
    EXPECT_DOUBLE_EQ(value("1e3").as_number(), 1000);
    for (const auto* text : {"nan", ".nan", "inf", ".inf", "1e999", "1.5x", "'1.5'", ""}) {
        EXPECT_NE(refusal(text, read).find("a number"), std::string::npos) << text;
    }
}

TEST(YamlNode, TextIsAnyScalar) {
    const auto read = [](const Node& node) { return node.as_string(); };
    EXPECT_EQ(read(value("1.10")), "1.10");
    EXPECT_EQ(read(value("true")), "true");
    EXPECT_EQ(read(value("''")), "");
    EXPECT_EQ(refusal("[a]", read), "f:1:4: 'k': expected text, got a list");
    EXPECT_EQ(refusal("", read), "f:1:1: 'k': expected text, got nothing");
}

TEST(YamlNode, ListsAndMappingsAreNotMixedUp) {
    EXPECT_NE(
        refusal("a", [](const Node& node) { return node.as_sequence(); }).find("expected a list"),
        std::string::npos
    );
    EXPECT_NE(
        refusal("[a]", [](const Node& node) { return node.as_mapping(); }).find("got a list"),
        std::string::npos
    );
    EXPECT_NE(
        refusal("[a, [b]]", [](const Node& node) { return node.as_strings(); }).find("f:1:8"),
        std::string::npos
    );
    EXPECT_TRUE(value("[]").as_strings().empty());
    const auto empty = value("{}");
    EXPECT_TRUE(empty.as_mapping().empty());
}

TEST(YamlNode, MessagesDoNotRepeatLongValues) {
    const auto message =
        refusal(std::string(100'000, 'x'), [](const Node& node) { return node.as_bool(); });
    EXPECT_LT(message.size(), 200U);
}

TEST(YamlNode, UnknownKeysAreRefusedWithWhatIsNear) {
    const auto node = parse("env: 1\nconfig_setings: 2\n", "f");
    const auto error =
        thrown_error([&] { node.only_keys({"env", "config_settings"}, "package settings"); });
    EXPECT_EQ(error.id(), "unknown-key");
    EXPECT_EQ(error.message(), "f:2:1: unknown key 'config_setings' in package settings");
    EXPECT_EQ(error.advice().at(0), "did you mean config_settings");
    EXPECT_NO_THROW(node.only_keys({"env", "config_setings", "more"}, "x"));
}

TEST(YamlNode, KnownKeysAreListedWhereNothingIsNear) {
    const auto error = thrown_error([] { parse("zzzz: 1", "f").only_keys({"a", "b"}, "x"); });
    EXPECT_EQ(error.advice().at(0), "known keys: a, b");
}

TEST(YamlNode, OnlyKeysTakesNothingButNoList) {
    EXPECT_NO_THROW(parse("", "f").only_keys({}, "x"));
    EXPECT_EQ(thrown_error([] { parse("[a]", "f").only_keys({}, "x"); }).id(), "bad-value");
}

}  // namespace
}  // namespace wheelforge::yaml
