// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;

TEST(Error, RendersMessageContextAndAdviceInOrder) {
    const Error error = Error{ExitCode::refused, "hash-mismatch", "click is not what was pinned"}
                            .doing("fetching click 8.1.7")
                            .doing("bootstrapping for cpu")
                            .advise("fetch it again")
                            .advise("or ask upstream");
    EXPECT_EQ(
        error.render(),
        "error: click is not what was pinned [hash-mismatch]\n"
        "  while fetching click 8.1.7\n"
        "  while bootstrapping for cpu\n"
        "  hint: fetch it again\n"
        "  hint: or ask upstream"
    );
    EXPECT_STREQ(error.what(), "click is not what was pinned");
}

TEST(Error, EscapesWhatWouldReachTheTerminal) {
    const Error error = Error{ExitCode::usage, "bad-value", "\x1b[31mred\r"}.doing("a\x07");
    EXPECT_EQ(error.render(), "error: \\x1b[31mred\\x0d [bad-value]\n  while a\\x07");
}

TEST(Error, KeepsFurtherLinesFromLookingLikeItsOwn) {
    const Error error{ExitCode::usage, "bad-value", "first\n  hint: run this as root"};
    EXPECT_EQ(error.render(), "error: first\n        hint: run this as root [bad-value]");
}

TEST(Error, IsExtendedWhileItUnwinds) {
    const Error error = thrown_error([] {
        while_doing(
            [] { return std::string("outer"); },
            [] {
                while_doing(
                    [] { return std::string("inner"); },
                    [] { throw Error{ExitCode::usage, "bad-value", "wrong"}; }
                );
            }
        );
    });
    EXPECT_EQ(error.context(), (std::vector<std::string>{"inner", "outer"}));
}

TEST(Error, IsNotDescribedWhereNothingIsThrown) {
    bool asked = false;
    const auto context = [&asked] {
        asked = true;
        return std::string();
    };
    EXPECT_EQ(while_doing(context, [] { return 7; }), 7);
    EXPECT_FALSE(asked);
}

TEST(ExitCode, TheMoreImportantOneOfTwoWins) {
    // From the least to the most important.
    const std::vector order{
        ExitCode::ok,
        ExitCode::build_failed,
        ExitCode::unsatisfiable,
        ExitCode::usage,
        ExitCode::refused,
        ExitCode::surroundings,
        ExitCode::interrupted,
        ExitCode::terminated,
        ExitCode::bug,
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = 0; j < order.size(); ++j) {
            EXPECT_EQ(worse(order[i], order[j]), order[std::max(i, j)]) << i << " and " << j;
        }
    }
}

}  // namespace
}  // namespace wheelforge
