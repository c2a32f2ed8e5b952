// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::config {
namespace {

const std::map<std::string, std::string> variables{
    {"FOO", "1"},
    {"EMPTY", ""},
    {"NESTED", "${FOO} $$"},
    {"__version__", "1.0"},
    {"_x9", "under"},
};

std::string expanded(std::string_view text) {
    return expand(text, variables, "f.yaml:3");
}

TEST(Expand, PutsInVariables) {
    EXPECT_EQ(expanded("no variable"), "no variable");
    EXPECT_EQ(expanded("$FOO"), "1");
    EXPECT_EQ(expanded("a${FOO}b"), "a1b");
    EXPECT_EQ(expanded("$FOO-$FOO/$_x9"), "1-1/under");
    EXPECT_EQ(expanded("x ${FOO} ${__version__} ${NOPE:-d} $$"), "x 1 1.0 d $");
}

TEST(Expand, TakesTheLongestName) {
    EXPECT_EQ(expanded("${FOO}D"), "1D");
    EXPECT_EQ(support::thrown_error([] { (void)expanded("$FOOD"); }).id(), "undefined-variable");
}

TEST(Expand, TakesDefaultsOnlyWhereNothingIsSet) {
    EXPECT_EQ(expanded("${FOO:-other}"), "1");
    EXPECT_EQ(expanded("${EMPTY:-other}"), "");  // set, though empty
    EXPECT_EQ(expanded("${NOPE:-}"), "");
    EXPECT_EQ(expanded("${NOPE:-a b/$FOO}"), "a b/$FOO");  // the default is plain text
}

TEST(Expand, IsASinglePass) {
    EXPECT_EQ(expanded("$NESTED"), "${FOO} $$");
    EXPECT_EQ(expanded("$$FOO"), "$FOO");
    EXPECT_EQ(expanded("$$$FOO"), "$1");
}

TEST(Expand, NamesWhatIsNotSetAndWhere) {
    const auto error = support::thrown_error([] { (void)expanded("a ${ZZ}"); });
    EXPECT_EQ(error.id(), "undefined-variable");
    EXPECT_EQ(error.message(), "f.yaml:3: variable ZZ is not set");
    EXPECT_EQ(error.code(), ExitCode::usage);
}

TEST(Expand, RefusesWhatBeginsNoVariable) {
    for (const auto* text :
         {"$",
          "a$",
          "$ x",
          "$1",
          "${",
          "${FOO",
          "${}",
          "${1}",
          "${FOO-x}",
          "${FOO:x}",
          "${A B}",
          "${NOPE:-a:b}",
          "$(id)",
          "$-"}) {
        EXPECT_EQ(support::thrown_error([&] { (void)expanded(text); }).id(), "bad-template")
            << text;
    }
}

}  // namespace
}  // namespace wheelforge::config
