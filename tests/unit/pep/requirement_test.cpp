// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>

#include <gtest/gtest.h>

#include "pep/requirement.hpp"
#include "pep/requirement_credentials.hpp"

namespace wheelforge::pep {
namespace {

std::string requirement_text(std::string_view requirement) {
    return parsed<Requirement>(requirement).text();
}

TEST(Requirement, HasNameExtrasSpecifierAndMarker) {
    const auto requirement =
        parsed<Requirement>(" Foo.Bar [socks, Use_Chardet] >= 1.0, <2 ; python_version >= '3.8' ");
    EXPECT_EQ(requirement.name, "foo-bar");
    EXPECT_EQ(requirement.written_name, "Foo.Bar");
    EXPECT_EQ(requirement.extras, (std::set<std::string>{"socks", "use-chardet"}));
    EXPECT_EQ(requirement.written_extras, (std::set<std::string>{"socks", "Use_Chardet"}));
    EXPECT_EQ(requirement.specifier.text(), "<2,>=1.0");
    EXPECT_EQ(requirement.marker->text(), "python_version >= \"3.8\"");
    EXPECT_EQ(requirement.url, std::nullopt);
}

TEST(Requirement, TextIsCanonicalAndParsesToItself) {
    EXPECT_EQ(
        requirement_text("A.B [y,x](>=1 , <2);os_name=='a'"), "a-b[x,y]<2,>=1; os_name == \"a\""
    );
    EXPECT_EQ(
        requirement_text("a@ https://x/y.whl ;os_name=='a'"),
        "a @ https://x/y.whl ; os_name == \"a\""
    );
    EXPECT_EQ(requirement_text("a@file:///x"), "a @ file:///x");
    for (const char* requirement :
         {"a", "a[b]>=1", "a @ https://x ; extra == 'b'", "a===x", "a==1.*; 'b' in extras"}) {
        EXPECT_EQ(requirement_text(requirement_text(requirement)), requirement_text(requirement))
            << requirement;
    }
    EXPECT_EQ(parsed<Requirement>("a>=1;os_name=='a'").text_without_marker(), "a>=1");
}

TEST(Requirement, UrlReachesToTheNextBlank) {
    EXPECT_EQ(parsed<Requirement>("a @ https://x/y;z").url, "https://x/y;z");
    EXPECT_FALSE(parsed<Requirement>("a @ https://x/y;os_name=='a'").marker);
    EXPECT_TRUE(parsed<Requirement>("a @ https://x/y ; os_name=='a'").marker);
}

TEST(Requirement, CredentialsLeaveItsUrl) {
    const auto bare = [](std::string_view text) {
        return without_credentials(parsed<Requirement>(text)).text();
    };
    EXPECT_EQ(
        bare("a @ https://me:pw@host/a-1.zip ; os_name == 'a'"),
        "a @ https://host/a-1.zip ; os_name == \"a\""
    );
    EXPECT_EQ(bare("a @ git+https://token@host/a@v1"), "a @ git+https://host/a@v1");
    EXPECT_EQ(bare("a @ https://host/a@1.zip"), "a @ https://host/a@1.zip");
    EXPECT_EQ(bare("a[b]>1"), "a[b]>1");
}

TEST(Requirement, AllowsWhatPublishedMetadataHolds) {
    EXPECT_EQ(requirement_text("a (>=1)"), "a>=1");
    EXPECT_EQ(requirement_text("a ()"), "a");
    EXPECT_EQ(requirement_text("a[]"), "a");
    EXPECT_EQ(requirement_text("a>=1,"), "a>=1");
    EXPECT_EQ(requirement_text("a===1.0,>=2"), "a===1.0,>=2");
    EXPECT_EQ(requirement_text("a_"), "a-");
}

TEST(Requirement, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 19> wrong{{
        {"", 0},
        {"-a", 0},
        {"a-", 1},
        {"a b", 2},
        {"a[b", 3},
        {"a[b c]", 4},
        {"a[b,]", 4},
        {"a[-]", 2},
        {"a @", 3},
        {"a @ https://x y", 14},
        {"a>=", 3},
        {"a>=1.*", 4},
        {"a>=1+x", 4},
        {"a>=1 <2", 5},
        {"a(>=1", 5},
        {"a>=1;", 5},
        {"a>=1; os_name", 13},
        {"a>=1; os_name=='a' x", 19},
        {"a\n", 1},
    }};
    for (const auto& [requirement, offset] : wrong) {
        EXPECT_EQ(error_offset(Requirement::parse(requirement)), offset) << requirement;
    }
}

}  // namespace
}  // namespace wheelforge::pep
