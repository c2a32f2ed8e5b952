// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>

#include <gtest/gtest.h>

#include "pep/license.hpp"

namespace wheelforge::pep {
namespace {

std::string license_text(std::string_view expression) {
    return parsed<LicenseExpression>(expression).text;
}

TEST(LicenseExpression, IsWrittenInTheCaseOfTheList) {
    EXPECT_EQ(license_text("mit"), "MIT");
    EXPECT_EQ(license_text(" bsd-3-CLAUSE "), "BSD-3-Clause");
    EXPECT_EQ(
        license_text("mit and (apache-2.0 or bsd-2-clause)"), "MIT AND (Apache-2.0 OR BSD-2-Clause)"
    );
    EXPECT_EQ(license_text("( ( mit ) )"), "((MIT))");
    EXPECT_EQ(
        license_text("gpl-2.0-only with classpath-exception-2.0"),
        "GPL-2.0-only WITH Classpath-exception-2.0"
    );
    EXPECT_EQ(license_text("lgpl-2.1+"), "LGPL-2.1+");
}

TEST(LicenseExpression, TakesOwnLicenses) {
    EXPECT_EQ(license_text("licenseref-Own.1"), "LicenseRef-Own.1");
    EXPECT_EQ(license_text("LICENSEREF-a OR LicenseRef-A"), "LicenseRef-A OR LicenseRef-A");
    EXPECT_FALSE(LicenseExpression::parse("LicenseRef-"));
    EXPECT_FALSE(LicenseExpression::parse("LicenseRef-a_b"));
    EXPECT_FALSE(LicenseExpression::parse("LicenseRef-a+"));
}

TEST(LicenseExpression, ListsWhatItNames) {
    const auto expression =
        parsed<LicenseExpression>("MIT OR GPL-2.0+ WITH Classpath-exception-2.0 AND mit");
    EXPECT_EQ(expression.licenses, (std::vector<std::string>{"MIT", "GPL-2.0"}));
    EXPECT_EQ(expression.exceptions, (std::vector<std::string>{"Classpath-exception-2.0"}));
    EXPECT_EQ(expression.deprecated, (std::vector<std::string>{"GPL-2.0"}));
}

TEST(LicenseExpression, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 15> wrong{{
        {"", 0},
        {"  ", 2},
        {"Proprietary", 0},
        {"MIT AND", 7},
        {"AND MIT", 0},
        {"MIT MIT", 4},
        {"MIT AND OR MIT", 8},
        {"(MIT", 4},
        {"MIT)", 3},
        {"()", 1},
        {"MIT (MIT)", 4},
        {"MIT WITH", 4},
        {"MIT WITH MIT", 9},
        {"(MIT) WITH Classpath-exception-2.0", 6},
        {"MIT AND Unknown-1.0", 8},
    }};
    for (const auto& [expression, offset] : wrong) {
        EXPECT_EQ(error_offset(LicenseExpression::parse(expression)), offset) << expression;
    }
}

TEST(LicenseExpression, ParenthesesHaveALimit) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '(') + "MIT" + std::string(depth, ')');
    };
    EXPECT_EQ(license_text(nested(200)), nested(200));
    EXPECT_FALSE(LicenseExpression::parse(nested(201)));
}

TEST(LicenseList, KnowsIdentifiersInAnyCase) {
    EXPECT_EQ(canonical_license_id("apache-2.0"), "Apache-2.0");
    EXPECT_EQ(canonical_license_id("0bsd"), "0BSD");
    EXPECT_EQ(canonical_license_id("Classpath-exception-2.0"), std::nullopt);
    EXPECT_FALSE(license_list_version().empty());
}

}  // namespace
}  // namespace wheelforge::pep
