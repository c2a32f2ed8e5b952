// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/archive_rules.hpp"

namespace wheelforge {
namespace {

using Parts = std::vector<std::string>;

TEST(MemberParts, DropsDotsAndEmptyParts) {
    EXPECT_EQ(member_parts("pkg-1.0/a/b.py").value(), (Parts{"pkg-1.0", "a", "b.py"}));
    EXPECT_EQ(member_parts("./pkg-1.0//a/").value(), (Parts{"pkg-1.0", "a"}));
    EXPECT_EQ(member_parts("pkg/..a/b..").value(), (Parts{"pkg", "..a", "b.."}));
    EXPECT_TRUE(member_parts("./").value().empty());
}

TEST(MemberParts, KeepsNamesBeyondAscii) {
    EXPECT_EQ(member_parts("p/e\xcc\x81.txt").value().back(), "e\xcc\x81.txt");
    EXPECT_EQ(member_parts("p/\xc3\xa9.txt").value().back(), "\xc3\xa9.txt");
}

TEST(MemberParts, RefusesWhatCouldLeadOutsideOrDeceive) {
    const std::vector<std::string> bad = {
        "",
        "/etc/passwd",
        "..",
        "p/../x",
        "p/..",
        "../p",
        std::string("p/a\0b", 5),
        "p/a\nb",
        "p/\x1b[2J",
        "p/\x7f",
        "p/\xc2\x85",
        "p/\xff",
        "p/\xc3",
        std::string("p/") + "\xed\xa0\x80",
    };
    for (const std::string& name : bad) {
        EXPECT_FALSE(member_parts(name)) << name;
    }
}

TEST(MemberParts, BoundsLengths) {
    EXPECT_TRUE(member_parts("p/" + std::string(255, 'a')));
    EXPECT_FALSE(member_parts("p/" + std::string(256, 'a')));
    std::string longest = "p";
    while (longest.size() + 100 < 4096) {
        longest += "/" + std::string(99, 'a');
    }
    longest += "/" + std::string(4096 - longest.size() - 1, 'b');
    ASSERT_EQ(longest.size(), 4096U);
    EXPECT_TRUE(member_parts(longest));
    EXPECT_FALSE(member_parts(longest + "b"));
}

TEST(Links, MayPointAnywhereInsideTheRoot) {
    const Parts link{"pkg", "docs", "link"};
    EXPECT_TRUE(link_stays_inside(link, "other"));
    EXPECT_TRUE(link_stays_inside(link, "../setup.py"));
    EXPECT_TRUE(link_stays_inside(link, "../src/./x//y"));
    EXPECT_TRUE(link_stays_inside(link, "a/b/../../../src"));
    EXPECT_TRUE(link_stays_inside({{"pkg", "link"}}, "."));
}

TEST(Links, MayNotPointOutside) {
    const Parts link{"pkg", "docs", "link"};
    EXPECT_FALSE(link_stays_inside(link, "../.."));
    EXPECT_FALSE(link_stays_inside(link, "../../other"));
    EXPECT_FALSE(link_stays_inside(link, "../../pkg/setup.py"));  // would depend on where it lies
    EXPECT_FALSE(link_stays_inside(link, "/etc/passwd"));
    EXPECT_FALSE(link_stays_inside(link, ""));
    EXPECT_FALSE(link_stays_inside(link, std::string("a\0b", 3)));
    EXPECT_FALSE(link_stays_inside({{"pkg", "link"}}, ".."));
    EXPECT_FALSE(link_stays_inside({{"link"}}, "pkg"));  // beside the root folder
}

TEST(MemberTimes, StayWithinWhatFormatsHold) {
    EXPECT_EQ(clamp_mtime(-5), 0);
    EXPECT_EQ(clamp_mtime(1'700'000'000), 1'700'000'000);
    EXPECT_EQ(clamp_mtime(std::int64_t{1} << 60U), 4354819198);
}

TEST(MemberRefused, ShowsTheNameHarmlessly) {
    const Error error = member_refused("archive-name", "p/\x1b[2J", "a control character");
    EXPECT_EQ(error.code(), ExitCode::refused);
    EXPECT_EQ(error.id(), "archive-name");
    EXPECT_EQ(error.message().find('\x1b'), std::string::npos);
    EXPECT_NE(error.message().find("a control character"), std::string::npos);
    EXPECT_LT(member_refused("x", std::string(9000, 'a'), "y").message().size(), 400U);
}

}  // namespace
}  // namespace wheelforge
