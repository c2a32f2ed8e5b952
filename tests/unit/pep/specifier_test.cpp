// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>
#include <initializer_list>

#include <gtest/gtest.h>

#include "pep/specifier.hpp"

namespace wheelforge::pep {
namespace {

using Texts = std::initializer_list<std::string_view>;

void expect_match(std::string_view specifier, Texts inside, Texts outside) {
    const auto parsed_specifier = parsed<Specifier>(specifier);
    for (const std::string_view version : inside) {
        EXPECT_TRUE(parsed_specifier.contains(parsed<Version>(version)))
            << version << " should match " << specifier;
    }
    for (const std::string_view version : outside) {
        EXPECT_FALSE(parsed_specifier.contains(parsed<Version>(version)))
            << version << " should not match " << specifier;
    }
}

std::vector<Version> versions(Texts texts) {
    std::vector<Version> list;
    for (const std::string_view text : texts) {
        list.push_back(parsed<Version>(text));
    }
    return list;
}

std::string kept(std::string_view set, Texts texts, std::optional<bool> prereleases = {}) {
    std::string names;
    for (const Version& version : parsed<SpecifierSet>(set).filter(versions(texts), prereleases)) {
        names += (names.empty() ? "" : " ") + version.text();
    }
    return names;
}

TEST(Specifier, EqualIgnoresLocalVersionsUnlessItNamesOne) {
    expect_match("==1.0", {"1", "1.0.0", "1.0+x"}, {"1.0.post0", "1.0.dev0", "1.1", "1.0.post0+x"});
    expect_match("==1.0+x", {"1.0+X", "1.0.0+x"}, {"1.0", "1.0+y", "1.0+x.1"});
    expect_match("!=1.0", {"1.1", "1.0.post0", "1.0a1"}, {"1.0", "1.0+x"});
    expect_match("!=1.0+x", {"1.0", "1.0+y"}, {"1.0+x"});
}

TEST(Specifier, WildcardMatchesEverythingThatBeginsSo) {
    expect_match(
        "==1.2.*",
        {"1.2", "1.2.dev0", "1.2.9", "1.2rc1", "1.2.post1", "1.2+x"},
        {"1.3", "1.3.dev0", "1.20", "1.1.9", "1!1.2"}
    );
    expect_match("!=1.2.*", {"1.3.dev0", "1.1"}, {"1.2.dev0", "1.2.5"});
    expect_match("==1.0.*", {"1", "1.0.1"}, {"1.1"});
    expect_match("==1!2.*", {"1!2.1"}, {"2.1"});
}

TEST(Specifier, CompatibleKeepsAllButTheLastNumber) {
    expect_match("~=2.2", {"2.2", "2.2.post1", "2.9", "2.2+x"}, {"3.0.dev0", "2.1", "2.2rc1", "3"});
    expect_match("~=2.2.0", {"2.2.0", "2.2.9"}, {"2.3", "2.3.dev0"});
    expect_match("~=1.4.5a4", {"1.4.5a4", "1.4.5", "1.4.9"}, {"1.4.5a3", "1.5"});
    expect_match("~=2.2.post3", {"2.2.post3", "2.3"}, {"2.2", "3"});
}

TEST(Specifier, LessKeepsThePreReleasesOfItsOwnVersionOut) {
    expect_match("<1.0", {"0.9", "0.9+x", "0.9.post1"}, {"1.0.dev0", "1.0a1", "1.0", "1.0+x"});
    expect_match("<1.0a2", {"1.0a1", "1.0a2.dev1", "1.0.dev0"}, {"1.0a2", "1.0"});
    expect_match("<1.0.post1", {"1.0", "1.0.post0"}, {"1.0.post1.dev0", "1.0.post1"});
    expect_match("<0", {}, {"0.dev0", "0"});
}

TEST(Specifier, GreaterKeepsThePostReleasesOfItsOwnVersionOut) {
    expect_match(">1.0", {"1.0.1", "1.1.dev0"}, {"1.0", "1.0.post1", "1.0+x", "1.0.post1+x"});
    expect_match(
        ">1.0.post1", {"1.0.post2", "1.0.post2.dev0", "1.1"}, {"1.0.post1", "1.0.post1+x"}
    );
    expect_match(">1.0.dev1", {"1.0.dev2", "1.0"}, {"1.0.dev1", "1.0.dev1+x"});
    expect_match(">1.0a1", {"1.0a2.dev0", "1.0"}, {"1.0a1", "1.0a1.post1", "1.0a1.post1.dev1"});
}

TEST(Specifier, InclusiveBoundsCountLocalVersionsAsTheirPublicOne) {
    expect_match("<=1.0", {"1.0", "1.0+x", "0.9"}, {"1.0.post0", "1.0.1"});
    expect_match(">=1.0", {"1.0", "1.0+x", "1.0.post0", "2"}, {"1.0rc1", "0.9"});
}

TEST(Specifier, ArbitraryComparesTextWithoutCase) {
    const auto specifier = parsed<Specifier>("===1.0-Custom");
    EXPECT_TRUE(specifier.contains(WrittenVersion::of("1.0-custom")));
    EXPECT_FALSE(specifier.contains(WrittenVersion::of("1.0")));
    EXPECT_EQ(specifier.version(), std::nullopt);
    expect_match("===1.0", {"1.0"}, {"1", "1.0.0", "1.0+x"});
    EXPECT_TRUE(parsed<Specifier>("===").contains(WrittenVersion::of("")));
}

TEST(Specifier, TextKeepsTheSpellingOfTheVersion) {
    EXPECT_EQ(parsed<Specifier>("  ==  v1.0.RC1 ").text(), "==v1.0.RC1");
    EXPECT_EQ(parsed<Specifier>("== 1.*").text(), "==1.*");
    EXPECT_TRUE(parsed<Specifier>("== 1.*").wildcard());
    EXPECT_EQ(*parsed<Specifier>("== 1.*").version(), parsed<Version>("1"));
}

TEST(Specifier, EqualsOtherSpellingsOfTheSameVersion) {
    EXPECT_EQ(parsed<Specifier>("==1.0"), parsed<Specifier>("== v1.0.0"));
    EXPECT_NE(parsed<Specifier>("~=1.0"), parsed<Specifier>("~=1.0.0"));
    EXPECT_NE(parsed<Specifier>("==1.0"), parsed<Specifier>("<=1.0"));
    EXPECT_NE(parsed<Specifier>("==1.*"), parsed<Specifier>("==1.0.*"));
}

TEST(Specifier, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 12> wrong{{
        {"", 0},
        {"1.0", 0},
        {"=1.0", 0},
        {">=", 2},
        {"~=1", 3},
        {">=1.*", 3},
        {"~=1.0.*", 5},
        {"==1.0a1.*", 7},
        {">=1.0+x", 5},
        {"==1.0,", 5},
        {"===a b", 4},
        {"==1.0 x", 5},
    }};
    for (const auto& [text, offset] : wrong) {
        EXPECT_EQ(error_offset(Specifier::parse(text)), offset) << text;
    }
}

TEST(SpecifierSet, MatchesWhatAllOfItsSpecifiersMatch) {
    const auto set = parsed<SpecifierSet>(">=1.0,<2,!=1.5.*");
    EXPECT_TRUE(set.contains(parsed<Version>("1.4")));
    EXPECT_FALSE(set.contains(parsed<Version>("1.5.1")));
    EXPECT_FALSE(set.contains(parsed<Version>("2")));
    EXPECT_TRUE(SpecifierSet().contains(parsed<Version>("1!0a1")));
}

TEST(SpecifierSet, TextIsSortedAndSaysEverySpecifierOnce) {
    EXPECT_EQ(parsed<SpecifierSet>(" >=1.0 , <2,!=1.5").text(), "!=1.5,<2,>=1.0");
    EXPECT_EQ(parsed<SpecifierSet>("==1.0.0,==1.0").text(), "==1.0");
    EXPECT_EQ(parsed<SpecifierSet>(",, >=1 ,").text(), ">=1");
    EXPECT_EQ(parsed<SpecifierSet>("").text(), "");
    EXPECT_EQ(parsed<SpecifierSet>(">=1,<2"), parsed<SpecifierSet>("<2.0, >= 1.0.0"));
}

TEST(SpecifierSet, IntersectionHoldsTheSpecifiersOfBoth) {
    const auto both = parsed<SpecifierSet>(">=1").intersect(parsed<SpecifierSet>("<2,>=1.0"));
    EXPECT_EQ(both.text(), "<2,>=1");
    EXPECT_EQ(both.specifiers().size(), 3U);
}

TEST(SpecifierSet, FilterKeepsPreReleasesOnlyWhenThereIsNothingElse) {
    EXPECT_EQ(kept(">=1", {"1.0", "2.0a1", "1.5"}), "1.0 1.5");
    EXPECT_EQ(kept(">=1", {"0.9", "2.0a1", "1.5.dev1"}), "2.0a1 1.5.dev1");
    EXPECT_EQ(kept("", {"2.0a1"}), "2.0a1");
}

TEST(SpecifierSet, FilterObeysADecisionAboutPreReleases) {
    EXPECT_EQ(kept(">=1", {"1.0", "2.0a1"}, true), "1.0 2.0a1");
    EXPECT_EQ(kept(">=1", {"2.0a1"}, false), "");
    EXPECT_EQ(kept(">=1a1", {"1.0", "2.0a1"}, false), "1.0");
}

TEST(SpecifierSet, ASpecifierThatNamesAPreReleaseOptsIn) {
    EXPECT_EQ(kept(">=1.0a1", {"1.0", "2.0a1"}), "1.0 2.0a1");
    EXPECT_EQ(kept(">=1,===2.0a1", {"2.0a1"}), "2.0a1");
    EXPECT_TRUE(parsed<SpecifierSet>("==1.0.dev1").opts_into_prereleases());
    EXPECT_FALSE(parsed<SpecifierSet>("!=1.0a1").opts_into_prereleases());
    EXPECT_FALSE(parsed<SpecifierSet>("==1.*,>=1").opts_into_prereleases());
}

TEST(SpecifierSet, ContainsTakesAPreReleaseUnlessToldOtherwise) {
    const auto set = parsed<SpecifierSet>(">=1");
    const auto version = parsed<Version>("2.0a1");
    EXPECT_TRUE(set.contains(version, std::nullopt));
    EXPECT_TRUE(set.contains(version, true));
    EXPECT_FALSE(set.contains(version, false));
}

TEST(SpecifierSet, TextThatIsNoVersionMatchesOnlyArbitraryAndTheEmptySet) {
    const std::vector<WrittenVersion> texts{
        WrittenVersion::of("nonsense"), WrittenVersion::of("1.0"), WrittenVersion::of("1.1a1")
    };
    const auto positions = [&](std::string_view set) {
        return parsed<SpecifierSet>(set).filter(texts);
    };
    EXPECT_EQ(positions(""), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(positions(">=1"), (std::vector<std::size_t>{1}));
    EXPECT_EQ(positions("===NONSENSE"), (std::vector<std::size_t>{0}));
    EXPECT_EQ(positions("===nonsense,>=0"), (std::vector<std::size_t>{}));
}

TEST(SpecifierSet, ErrorsPointIntoTheWholeText) {
    EXPECT_EQ(error_offset(SpecifierSet::parse(">=1,  <x")), 7);
    EXPECT_EQ(error_offset(SpecifierSet::parse(">=1;<2")), 3);
}

}  // namespace
}  // namespace wheelforge::pep
