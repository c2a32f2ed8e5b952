// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>
#include <unordered_set>

#include <gtest/gtest.h>

#include "pep/version.hpp"

namespace wheelforge::pep {
namespace {

Version v(std::string_view text) {
    return parsed<Version>(text);
}

/// Ascending; no two are equal. From the standard's own example, with the corners added.
constexpr std::array<std::string_view, 49> ascending{
    "0.dev0",
    "0a0",
    "0",
    "0.0.1",
    "1.dev0",
    "1.0.dev1",
    "1.0.dev456",
    "1.0a1.dev1",
    "1.0a1",
    "1.0a1.post0.dev1",
    "1.0a1.post0",
    "1.0a2.dev456",
    "1.0a12.dev456",
    "1.0a12",
    "1.0b1.dev456",
    "1.0b2",
    "1.0b2.post345.dev456",
    "1.0b2.post345",
    "1.0rc1.dev456",
    "1.0rc1",
    "1.0",
    "1.0+abc.5",
    "1.0+abc.7",
    "1.0+abcd",
    "1.0+5",
    "1.0+5.a",
    "1.0+5.0",
    "1.0+10",
    "1.0.post0.dev1",
    "1.0.post0",
    "1.0.post456.dev34",
    "1.0.post456",
    "1.0.post456+local",
    "1.0.1",
    "1.1.dev1",
    "1.1",
    "1.9",
    "1.10",
    "1.238",
    "1.239",
    "1.255",
    "1.256",
    "1.65535",
    "1.65536",
    "1.9999999999999999999",
    "1.10000000000000000000",
    "1.99999999999999999999999",
    "2024.1.1",
    "1!0.1",
};

TEST(Version, OrdersEveryKindOfReleaseAsTheStandardSays) {
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(v(ascending.at(i)) <=> v(ascending.at(j)), i <=> j)
                << ascending.at(i) << " and " << ascending.at(j);
        }
    }
}

TEST(Version, EqualsItsOwnTextParsedAgain) {
    for (const std::string_view text : ascending) {
        EXPECT_EQ(v(text).text(), text);
        EXPECT_EQ(v(v(text).text()), v(text));
    }
}

TEST(Version, TrailingZerosOfTheReleaseDoNotCount) {
    EXPECT_EQ(v("1"), v("1.0.0"));
    EXPECT_EQ(v("0"), v("0.0"));
    EXPECT_EQ(v("1.0.0").text(), "1.0.0");
    EXPECT_NE(v("1.0.1"), v("1.1"));
    EXPECT_EQ(std::hash<Version>{}(v("1")), std::hash<Version>{}(v("1.0")));
}

TEST(Version, NormalisesEverySpelling) {
    const std::array<std::pair<std::string_view, std::string_view>, 24> spellings{{
        {"v1.0", "1.0"},
        {" \t1.0\n", "1.0"},
        {"01.002", "1.2"},
        {"1.0ALPHA1", "1.0a1"},
        {"1.0-beta.2", "1.0b2"},
        {"1.0c3", "1.0rc3"},
        {"1.0_pre4", "1.0rc4"},
        {"1.0.preview.5", "1.0rc5"},
        {"1.0a", "1.0a0"},
        {"1.0a-", "1.0a0"},
        {"1.0-1", "1.0.post1"},
        {"1.0-r1", "1.0.post1"},
        {"1.0.rev", "1.0.post0"},
        {"1.0post2", "1.0.post2"},
        {"1.0a.dev", "1.0a0.dev0"},
        {"1.0-dev-7", "1.0.dev7"},
        {"1.0DEV", "1.0.dev0"},
        {"1.0+UBUNTU-1_a", "1.0+ubuntu.1.a"},
        {"1.0+007", "1.0+7"},
        {"0!1.0", "1.0"},
        {"00!1", "1"},
        {"3!1.0", "3!1.0"},
        {"1.0a1-2", "1.0a1.post2"},
        {"1.0-alpha_1.POST-2_dev3", "1.0a1.post2.dev3"},
    }};
    for (const auto& [written, normal] : spellings) {
        EXPECT_EQ(v(written).text(), normal) << written;
    }
}

TEST(Version, PartsAreWhatWasWritten) {
    const Version version = v("2!1.20.3rc4.post5.dev6+cu128.7");
    EXPECT_EQ(version.epoch().text(), "2");
    ASSERT_EQ(version.release().size(), 3U);
    EXPECT_EQ(version.release()[1].text(), "20");
    EXPECT_EQ(version.pre()->kind, Version::PreKind::rc);
    EXPECT_EQ(version.pre()->number.text(), "4");
    EXPECT_EQ(version.post()->text(), "5");
    EXPECT_EQ(version.dev()->text(), "6");
    EXPECT_EQ(version.local_text(), "cu128.7");
    EXPECT_EQ(version.public_text(), "2!1.20.3rc4.post5.dev6");
    EXPECT_EQ(version.base_text(), "2!1.20.3");
}

TEST(Version, WithoutLocalIsTheLeastOfItsLocalVersions) {
    const Version version = v("1.0.post1+x");
    EXPECT_EQ(version.without_local(), v("1.0.post1"));
    EXPECT_EQ(version.without_local().text(), "1.0.post1");
    EXPECT_LT(version.without_local(), version);
    EXPECT_EQ(version.public_sort_key(), version.without_local().sort_key());
}

TEST(Version, PreReleasesAreAlphaBetaCandidateAndDevelopment) {
    for (const char* text : {"1.0a1", "1.0b1", "1.0rc1", "1.0.dev1", "1.0.post1.dev1", "1.0a1+x"}) {
        EXPECT_TRUE(v(text).is_prerelease()) << text;
    }
    for (const char* text : {"1.0", "1.0.post1", "1.0+dev1"}) {
        EXPECT_FALSE(v(text).is_prerelease()) << text;
    }
    EXPECT_TRUE(v("1.0.post1").is_postrelease());
}

TEST(Version, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 12> wrong{{
        {"", 0},
        {"x", 0},
        {" x", 1},
        {".1", 0},
        {"1.", 1},
        {"1..2", 1},
        {"1.0+", 3},
        {"1.0+a..b", 5},
        {"1.0 2", 3},
        {"1.0a1x", 5},
        {"1.0.dev1.dev2", 8},
        {"!1", 0},
    }};
    for (const auto& [text, offset] : wrong) {
        EXPECT_EQ(error_offset(Version::parse(text)), offset) << text;
    }
}

TEST(Version, HasNoLimitOnTheSizeOfItsNumbers) {
    const std::string huge(5000, '9');
    EXPECT_EQ(v("1." + huge).text(), "1." + huge);
    EXPECT_LT(v("1.1" + std::string(5000, '0') + ".dev0"), v("1.1" + std::string(5000, '0')));
    EXPECT_LT(v("1." + huge), v("1.1" + std::string(5000, '0')));
}

TEST(Number, ComparesByValueNotByText) {
    EXPECT_LT(Number(9), Number(10));
    EXPECT_EQ(Number::from_digits("0010"), Number(10));
    EXPECT_EQ(Number::from_digits("000").text(), "0");
    EXPECT_TRUE(Number::from_digits("00").is_zero());
    EXPECT_LT(Number(18446744073709551615U), Number::from_digits("18446744073709551616"));
}

TEST(Number, NextCarriesOver) {
    EXPECT_EQ(Number(9).next(), Number(10));
    EXPECT_EQ(Number(1099).next(), Number(1100));
    EXPECT_EQ(Number::from_digits("99999999999999999999").next().text(), "100000000000000000000");
}

TEST(Number, IsSmallUpToNineteenDigits) {
    EXPECT_EQ(Number::from_digits("9999999999999999999").small(), 9999999999999999999U);
    EXPECT_EQ(Number::from_digits("10000000000000000000").small(), std::nullopt);
}

}  // namespace
}  // namespace wheelforge::pep
