// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/thrown_error.hpp"
#include "variant/variable.hpp"

namespace wheelforge::variant {
namespace {

std::vector<VariantVariable> read(const std::string& text) {
    return read_variables(yaml::parse(text, "f.yaml"));
}

std::string value(const std::string& text) {
    return read("NAME: " + text).at(0).value;
}

TEST(Variables, AreTextNumbersAndBooleans) {
    EXPECT_EQ(value("text"), "text");
    EXPECT_EQ(value("12"), "12");
    EXPECT_EQ(value("1.10"), "1.10");
    EXPECT_EQ(value("true"), "1");
    EXPECT_EQ(value("False"), "0");
    EXPECT_EQ(value("'true'"), "true");
    EXPECT_EQ(value("''"), "");
}

TEST(Variables, LoseBlanksAtTheirEnds) {
    EXPECT_EQ(value("'  a b '"), "a b");
    EXPECT_EQ(value("|\n  two\n  lines\n"), "two\nlines");
}

TEST(Variables, KeepTheirOrderAndPlace) {
    const auto variables = read("Z: 1\n\nA: 2\n");
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(variables[0].name, "Z");
    EXPECT_EQ(variables[0].origin, "f.yaml:1");
    EXPECT_EQ(variables[1].name, "A");
    EXPECT_EQ(variables[1].origin, "f.yaml:3");
    EXPECT_TRUE(read("").empty());
}

TEST(Variables, AreRefusedWhereReadersDiffer) {
    for (const auto* text : {"yes", "No", "ON", "off"}) {
        const auto error = support::thrown_error([&] { (void)value(text); });
        EXPECT_EQ(error.id(), "bad-value") << text;
        EXPECT_NE(error.advice().at(0).find("in quotes"), std::string::npos);
    }
    EXPECT_EQ(value("'yes'"), "yes");
}

TEST(Variables, AreNeverCommands) {
    for (const auto* text : {"$(id)", "'a $(id)'", "\"$(\""}) {
        EXPECT_EQ(support::thrown_error([&] { (void)value(text); }).id(), "bad-value") << text;
    }
    EXPECT_EQ(value("$HOME/${X:-y}"), "$HOME/${X:-y}");
}

TEST(Variables, NeedAValueAndAName) {
    for (const auto* text :
         {"A:",
          "A: [1]",
          "A: {b: c}",
          "1A: x",
          "A-B: x",
          "'': x",
          "A B: x",
          "'A=B': x",
          "Ä: x",
          "[A]"}) {
        EXPECT_EQ(support::thrown_error([&] { (void)read(text); }).id(), "bad-value") << text;
    }
}

TEST(EnvFiles, AreLinesWithoutExpansion) {
    const auto variables = parse_env_file(
        "# of a toolbox\n\nexport A=1\nB=\"two words\"\nC='$HOME'\nE=\n", "site.env"
    );
    std::string text;
    for (const auto& each : variables) {
        text += each.name + "=" + each.value + " " + each.origin + "\n";
    }
    // '$' is doubled, since values are templates elsewhere.
    EXPECT_EQ(text, "A=1 site.env:3\nB=two words site.env:4\nC=$$HOME site.env:5\nE= site.env:6\n");
}

TEST(EnvFiles, RefuseWhatIsNoVariable) {
    for (const auto* text : {"A = x\n", "only words\n", "1A=x\n", "=x\n"}) {
        const auto error = support::thrown_error([&] { (void)parse_env_file(text, "site.env"); });
        EXPECT_EQ(error.id(), "bad-value") << text;
        EXPECT_TRUE(error.message().starts_with("site.env:1")) << error.message();
    }
}

TEST(Variables, HavePosixNames) {
    for (const auto* name : {"A", "_", "a1", "CMAKE_ARGS"}) {
        EXPECT_TRUE(is_variable_name(name)) << name;
    }
    for (const auto* name : {"", "1", "A-B", "A.B", "A ", "A="}) {
        EXPECT_FALSE(is_variable_name(name)) << name;
    }
}

}  // namespace
}  // namespace wheelforge::variant
