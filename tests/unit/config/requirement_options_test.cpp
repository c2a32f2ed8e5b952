// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "config/requirement_options.hpp"

namespace wheelforge::config {
namespace {

std::vector<LineOption> options_of(std::string_view text) {
    const auto options = parse_line_options(text);
    EXPECT_TRUE(options) << text << ": " << options.error().message;
    return options.value_or(std::vector<LineOption>{});
}

/// "offset message"
std::string refusal(std::string_view text) {
    const auto options = parse_line_options(text);
    EXPECT_FALSE(options) << text;
    return options ? "" : std::to_string(options.error().offset) + " " + options.error().message;
}

TEST(RequirementOptions, AreWrittenInFourWays) {
    for (const auto* text :
         {"-r f.txt",
          "-rf.txt",
          "--requirement f.txt",
          "--requirement=f.txt",
          "-r 'f.txt'",
          "--requirement=\"f.txt\"",
          "-r\tf.txt"}) {
        const auto options = options_of(text);
        ASSERT_EQ(options.size(), 1U) << text;
        EXPECT_EQ(options[0].kind, OptionKind::requirement) << text;
        EXPECT_EQ(options[0].value, "f.txt") << text;
    }
}

TEST(RequirementOptions, AreAllKnown) {
    const auto options = options_of(
        "-c c -i u --index-url u --extra-index-url=e -f l --find-links l --trusted-host h"
        " --no-index --pre --require-hashes --hash=sha256:0"
    );
    ASSERT_EQ(options.size(), 11U);
    EXPECT_EQ(options[0].kind, OptionKind::constraint);
    EXPECT_EQ(options[3].kind, OptionKind::extra_index_url);
    EXPECT_EQ(options[6].value, "h");
    EXPECT_EQ(options[7].kind, OptionKind::no_index);
    EXPECT_EQ(options[10].kind, OptionKind::hash);
}

TEST(RequirementOptions, AreSplitAsAShellDoes) {
    EXPECT_EQ(options_of(R"(-f "a b"\ 'c d')")[0].value, "a b c d");
    EXPECT_EQ(options_of(R"(-f "a\"b\\c\d")")[0].value, R"(a"b\c\d)");
    EXPECT_EQ(options_of(R"(-f 'a\b')")[0].value, R"(a\b)");
    EXPECT_EQ(refusal("-f 'abc"), "3 a quote is not closed");
    EXPECT_EQ(refusal("-f ''"), "0 option -f needs a value");
}

TEST(RequirementOptions, OfPipThatWeLackAreRefusedByName) {
    for (const auto* text :
         {"-e .",
          "--editable=.",
          "--prefer-binary",
          "--use-feature=x",
          "--global-option=x",
          "--config-settings=a=b",
          "-C a=b"}) {
        EXPECT_NE(refusal(text).find("is not supported; "), std::string::npos) << text;
    }
}

TEST(RequirementOptions, ThatAreUnknownAreRefusedWithWhatIsNear) {
    EXPECT_EQ(
        refusal("--pre --indx-url x"), "6 unknown option --indx-url; did you mean --index-url?"
    );
    EXPECT_EQ(refusal("-z"), "0 unknown option -z");
    EXPECT_EQ(refusal("-"), "0 unknown option -");
    EXPECT_EQ(refusal("--"), "0 unknown option --");
}

TEST(RequirementOptions, TakeValuesOnlyWhereTheyDo) {
    EXPECT_EQ(refusal("--pre=1"), "0 option --pre takes no value");
    EXPECT_EQ(refusal("-r"), "0 option -r needs a value");
    EXPECT_EQ(refusal("--hash="), "0 option --hash needs a value");
    EXPECT_EQ(refusal("--pre x"), "6 'x' belongs to no option");
}

TEST(RequirementOptions, BeginAtAWordWithADash) {
    EXPECT_EQ(options_start("a-b >= 1"), 8U);
    EXPECT_EQ(options_start("a --hash"), 2U);
    EXPECT_EQ(options_start("a\t-x"), 2U);
    EXPECT_EQ(options_start("-r x"), 0U);
    EXPECT_EQ(options_start(""), 0U);
}

}  // namespace
}  // namespace wheelforge::config
