// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "pep/marker.hpp"
#include "pep/tags.hpp"

namespace wheelforge::pep {
namespace {

const MarkerEnvironment& environment() {
    static const MarkerEnvironment values =
        cpython_linux_target(parsed<Version>("3.12.1"), "x86_64", 2, 36).markers;
    return values;
}

bool holds(std::string_view marker, std::string_view extra = "") {
    return parsed<Marker>(marker).evaluate(environment(), extra);
}

std::string marker_text(std::string_view marker) {
    return parsed<Marker>(marker).text();
}

/// The id of the error that evaluating throws, "" for none.
std::string error_id(std::string_view marker, const MarkerSets& sets = {}) {
    try {
        static_cast<void>(parsed<Marker>(marker).evaluate(environment(), "", sets));
        return "";
    } catch (const Error& error) {
        return error.id();
    }
}

TEST(Marker, ComparesVersionsAsVersions) {
    EXPECT_TRUE(holds("python_version >= '3.9'"));
    EXPECT_TRUE(holds("python_version > '3.9'"));
    EXPECT_TRUE(holds("python_full_version == '3.12.*'"));
    EXPECT_TRUE(holds("python_version ~= '3.9'"));
    EXPECT_FALSE(holds("python_version < '3.9'"));
    EXPECT_TRUE(holds("'3.9' < python_version"));
    EXPECT_TRUE(holds("implementation_version == '3.12.1'"));
}

TEST(Marker, ComparesWhatIsNoVersionAsText) {
    EXPECT_TRUE(holds("sys_platform == 'linux'"));
    EXPECT_TRUE(holds("os_name != 'nt'"));
    EXPECT_TRUE(holds("os_name >= 'posix'"));
    EXPECT_FALSE(holds("os_name > 'a'"));
    EXPECT_FALSE(holds("os_name < 'z'"));
    EXPECT_TRUE(holds("'linux' in sys_platform"));
    EXPECT_TRUE(holds("sys_platform in 'linux darwin'"));
    EXPECT_TRUE(holds("platform_machine not in 'arm64 aarch64'"));
    EXPECT_TRUE(holds("python_version in '3.11 3.12'"));
}

TEST(Marker, AndBindsCloserThanOr) {
    EXPECT_TRUE(holds("os_name == 'posix' or os_name == 'x' and os_name == 'y'"));
    EXPECT_FALSE(holds("(os_name == 'posix' or os_name == 'x') and os_name == 'y'"));
    EXPECT_TRUE(holds("os_name == 'x' and os_name == 'y' or os_name == 'posix'"));
}

TEST(Marker, ExtrasAreComparedInNormalForm) {
    EXPECT_TRUE(holds("extra == 'Foo_Bar'", "foo.bar"));
    EXPECT_TRUE(holds("'Foo_Bar' == extra", "FOO-BAR"));
    EXPECT_FALSE(holds("extra == 'a'"));
    EXPECT_TRUE(holds("extra != 'a'"));
    EXPECT_EQ(marker_text("extra=='Foo_Bar'"), "extra == \"foo-bar\"");
}

TEST(Marker, SaysWhetherItMentionsExtra) {
    EXPECT_TRUE(parsed<Marker>("os_name=='a' and (os_name=='b' or extra=='c')").mentions_extra());
    EXPECT_FALSE(parsed<Marker>("os_name == 'extra'").mentions_extra());
    EXPECT_FALSE(parsed<Marker>("'a' in extras").mentions_extra());
}

TEST(Marker, SetsOfALockFileAreAskedForMembership) {
    MarkerSets sets;
    sets.extras = {"Foo.Bar"};
    const auto evaluate = [&](std::string_view marker) {
        return parsed<Marker>(marker).evaluate(environment(), "", sets);
    };
    EXPECT_TRUE(evaluate("'foo_bar' in extras"));
    EXPECT_FALSE(evaluate("'x' in extras"));
    EXPECT_TRUE(evaluate("'x' not in extras"));
    EXPECT_EQ(error_id("'x' in dependency_groups", sets), "marker-variable-missing");
    EXPECT_EQ(error_id("extras == 'x'", sets), "marker-comparison-undefined");
}

TEST(Marker, OldSpellingsOfVariablesAreTheSameVariables) {
    EXPECT_EQ(marker_text("os.name=='a'"), "os_name == \"a\"");
    EXPECT_EQ(marker_text("sys.platform=='a'"), "sys_platform == \"a\"");
    EXPECT_EQ(
        marker_text("platform.python_implementation=='a'"),
        "platform_python_implementation == \"a\""
    );
    EXPECT_EQ(marker_text("python_implementation=='a'"), "platform_python_implementation == \"a\"");
}

TEST(Marker, TextKeepsParenthesesThatMeanSomething) {
    EXPECT_EQ(marker_text("( ((os_name=='a')) )"), "os_name == \"a\"");
    EXPECT_EQ(
        marker_text("(os_name=='a' or os_name=='b')"), "os_name == \"a\" or os_name == \"b\""
    );
    EXPECT_EQ(
        marker_text("(os_name=='a' or os_name=='b')and os_name=='c'"),
        "(os_name == \"a\" or os_name == \"b\") and os_name == \"c\""
    );
    EXPECT_EQ(marker_text("'a'   not \t in os_name"), "\"a\" not in os_name");
}

TEST(Marker, TextParsesToTheSameTextAgain) {
    for (const char* marker :
         {"python_version>'3' and (os_name=='a' or extra=='B_c')",
          "'x' in extras",
          "((os_name=='a' and os_name=='b') or os_name=='c') and os_name=='d'",
          "os_name == 'say \"hi\"'",
          R"(os_name == 'both \x22 and \x27')"}) {
        EXPECT_EQ(marker_text(marker_text(marker)), marker_text(marker)) << marker;
    }
}

TEST(Marker, StringsKnowTheEscapesOfPython) {
    EXPECT_TRUE(holds(R"(os_name == "\x70\157\u0073i\U00000078")"));
    EXPECT_FALSE(Marker::parse(R"(os_name == "\x7")"));
    EXPECT_FALSE(Marker::parse(R"(os_name == "\ud800")"));
    EXPECT_FALSE(Marker::parse("os_name == 'a\nb'"));
    EXPECT_FALSE(Marker::parse(std::string_view("os_name == 'a\0b'", 16)));
    EXPECT_FALSE(Marker::parse("os_name == '\xff'"));
    EXPECT_EQ(marker_text(R"(os_name == "\d")"), R"(os_name == "\d")");
}

TEST(Marker, EvaluatesEveryComparisonEvenWhenTheResultIsKnown) {
    MarkerEnvironment values = environment();
    values.erase("os_name");
    const auto marker = parsed<Marker>("sys_platform == 'linux' or os_name == 'a'");
    EXPECT_THROW(static_cast<void>(marker.evaluate(values)), Error);
}

TEST(Marker, RefusesToGuessWhatHasNoMeaning) {
    EXPECT_EQ(error_id("'a' == 'b'"), "marker-variable-missing");
    EXPECT_EQ(error_id("os_name ~= 'posix'"), "marker-comparison-undefined");
    EXPECT_EQ(error_id("os_name === 'posix'"), "marker-comparison-undefined");
    EXPECT_EQ(error_id("python_version ~= 'x'"), "marker-comparison-undefined");
}

TEST(Marker, AnInterpreterBetweenTwoTagsHasAVersionToo) {
    MarkerEnvironment values = environment();
    values["python_full_version"] = "3.14.0a2+";
    EXPECT_TRUE(parsed<Marker>("python_full_version >= '3.14.0a2'").evaluate(values));
}

TEST(Marker, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 11> wrong{{
        {"", 0},
        {"os_name", 7},
        {"os_name ==", 10},
        {"os_name == 'a", 11},
        {"os_name == 'a' and", 18},
        {"os_name == 'a' b", 15},
        {"(os_name == 'a'", 15},
        {"os_name == 'a')", 14},
        {"os_name not 'a'", 12},
        {"unknown == 'a'", 0},
        {"os_name = 'a'", 8},
    }};
    for (const auto& [marker, offset] : wrong) {
        EXPECT_EQ(error_offset(Marker::parse(marker)), offset) << marker;
    }
}

TEST(Marker, ParenthesesHaveALimit) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '(') + "os_name=='posix'" + std::string(depth, ')');
    };
    EXPECT_TRUE(holds(nested(150)));
    EXPECT_EQ(error_offset(Marker::parse(nested(100'000))), 200);
}

}  // namespace
}  // namespace wheelforge::pep
