// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"

#include <gtest/gtest.h>

#include "pep/metadata_rules.hpp"

namespace wheelforge::pep {
namespace {

/// "Field: message" of every problem, one a line.
std::string problems(const std::string& version, const std::string& more) {
    const auto metadata =
        parsed<Metadata>("Metadata-Version: " + version + "\nName: a\nVersion: 1\n" + more);
    std::string text;
    for (const MetadataProblem& problem : check_metadata(metadata)) {
        text += problem.field + ": " + problem.message + "\n";
    }
    return text;
}

TEST(MetadataRules, GoodMetadataHasNoProblem) {
    EXPECT_EQ(
        problems(
            "2.5",
            "Summary: s\nLicense-Expression: MIT OR Apache-2.0\nLicense-File: a/LICENSE\n"
            "Provides-Extra: x-y\nDynamic: Requires-Dist\nImport-Name: a.b\n"
            "Import-Name: _a ; private\nImport-Namespace: c\nClassifier: x\nClassifier: y\n"
        ),
        ""
    );
    EXPECT_EQ(problems("2.5", "Import-Name:\n"), "");
}

TEST(MetadataRules, TheVersionMustBeKnown) {
    EXPECT_EQ(problems("2.0", ""), "Metadata-Version: '2.0' is no version of core metadata\n");
    EXPECT_EQ(problems("2.6", ""), "");
}

TEST(MetadataRules, FieldsMustNotComeFromALaterVersion) {
    EXPECT_EQ(problems("2.3", "License-File: L\n"), "License-File: needs metadata 2.4\n");
    EXPECT_EQ(problems("2.1", "Dynamic: License\n"), "Dynamic: needs metadata 2.2\n");
    EXPECT_EQ(problems("2.4", "Import-Name: a\n"), "Import-Name: needs metadata 2.5\n");
}

TEST(MetadataRules, FieldsMustExistAndMayNotAllBeRepeated) {
    EXPECT_EQ(problems("2.1", "Own: x\n"), "Own: core metadata has no such field\n");
    EXPECT_EQ(
        problems("2.1", "Summary: a\nSummary: b\nSummary: c\n"),
        "Summary: stands there more than once\n"
    );
    EXPECT_EQ(problems("2.1", "Summary: a\n b\n"), "Summary: must be one line\n");
}

TEST(MetadataRules, LicenceExpressionsAreCheckedAndCanonical) {
    EXPECT_EQ(
        problems("2.4", "License-Expression: mit\n"),
        "License-Expression: should be written 'MIT'\n"
    );
    EXPECT_EQ(
        problems("2.4", "License-Expression: Foo\n"), "License-Expression: unknown licence 'Foo'\n"
    );
    EXPECT_EQ(
        problems("2.4", "License-Expression: MIT\nLicense: MIT\n"),
        "License: must not stand beside License-Expression\n"
    );
}

TEST(MetadataRules, LicenceFilesStayInTheTree) {
    for (const char* path : {"../LICENSE", "/LICENSE", "a\\b", "LICEN*", "C:/x", "a/../b"}) {
        EXPECT_NE(problems("2.4", "License-File: " + std::string(path) + "\n"), "") << path;
    }
}

TEST(MetadataRules, IdentityIsNeverDynamic) {
    EXPECT_EQ(problems("2.2", "Dynamic: Version\n"), "Dynamic: 'version' must be static\n");
    EXPECT_EQ(problems("2.2", "Dynamic: Own\n"), "Dynamic: 'own' is no field of core metadata\n");
}

TEST(MetadataRules, ExtrasAreNormalFrom23On) {
    EXPECT_EQ(
        problems("2.3", "Provides-Extra: X_y\n"), "Provides-Extra: should be written 'x-y'\n"
    );
    EXPECT_EQ(problems("2.2", "Provides-Extra: X_y\n"), "");
    EXPECT_EQ(
        problems("2.2", "Provides-Extra: a b\n"), "Provides-Extra: 'a b' is no name of an extra\n"
    );
}

TEST(MetadataRules, ImportsAreModules) {
    EXPECT_NE(problems("2.5", "Import-Name: a-b\n"), "");
    EXPECT_NE(problems("2.5", "Import-Name: a; public\n"), "");
    EXPECT_NE(problems("2.5", "Import-Name: a\nImport-Namespace: a\n"), "");
    EXPECT_NE(problems("2.5", "Import-Namespace:\n"), "");
}

}  // namespace
}  // namespace wheelforge::pep
