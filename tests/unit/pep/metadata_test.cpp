// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"

#include <gtest/gtest.h>

#include "pep/metadata.hpp"

namespace wheelforge::pep {
namespace {

const std::string identity = "Metadata-Version: 2.1\nName: Foo_Bar\nVersion: 1.0\n";

Metadata metadata(const std::string& more) {
    return parsed<Metadata>(identity + more);
}

TEST(Metadata, ReadsTheFieldsThatWeUse) {
    const Metadata read = parsed<Metadata>(
        "Metadata-Version: 2.5\nName: Foo_Bar\nVersion: 1.0RC1\nSummary: a thing\n"
        "License-Expression: MIT\nLicense-File: LICENSE\nLicense-File: NOTICE\n"
        "Home-page: https://example.org\nProject-URL: Docs, https://example.org/docs\n"
        "Requires-Python: >=3.8, <4\nRequires-Dist: a>=1; extra == 'X_y'\nRequires-Dist: b\n"
        "Provides-Extra: X_y\nImport-Name: foo.bar\nImport-Namespace: foo\nDynamic: License\n"
        "\nName: not a header\n"
    );
    EXPECT_EQ(read.metadata_version, "2.5");
    EXPECT_EQ(read.name, "Foo_Bar");
    EXPECT_EQ(read.version_text, "1.0RC1");
    EXPECT_EQ(read.version.text(), "1.0rc1");
    EXPECT_EQ(read.summary, "a thing");
    EXPECT_EQ(read.license_expression, "MIT");
    EXPECT_EQ(read.license_files, (std::vector<std::string>{"LICENSE", "NOTICE"}));
    EXPECT_EQ(read.home_page, "https://example.org");
    EXPECT_EQ(read.project_urls, (std::vector<std::string>{"Docs, https://example.org/docs"}));
    EXPECT_EQ(read.requires_python.text(), "<4,>=3.8");
    ASSERT_EQ(read.requires_dist.size(), 2U);
    EXPECT_EQ(read.requires_dist[0].text(), "a>=1; extra == \"x-y\"");
    EXPECT_EQ(read.provides_extra, (std::vector<std::string>{"x-y"}));
    EXPECT_EQ(read.import_names, (std::vector<std::string>{"foo.bar"}));
    EXPECT_EQ(read.import_namespaces, (std::vector<std::string>{"foo"}));
    EXPECT_EQ(read.dynamic, (std::vector<std::string>{"license"}));
    EXPECT_EQ(read.headers.size(), 16U);
    EXPECT_EQ(read.headers[1], std::pair(std::string("Name"), std::string("Foo_Bar")));
}

TEST(Metadata, FieldNamesHaveNoCase) {
    EXPECT_EQ(parsed<Metadata>("NAME: a\nversion: 1\nREQUIRES-dist: b\n").requires_dist.size(), 1U);
}

TEST(Metadata, FoldedValuesAreOneValue) {
    EXPECT_EQ(
        metadata("License: line one\n        line two\n\tline three\n").license,
        "line one\nline two\nline three"
    );
    EXPECT_EQ(metadata("Requires-Dist: a>=1,\n  <2\n").requires_dist[0].text(), "a<2,>=1");
}

TEST(Metadata, LineEndsOfEverySystemWillDo) {
    const auto read = parsed<Metadata>("Name: a\r\nVersion: 1\r\nSummary: s\r\n\r\nbody");
    EXPECT_EQ(read.version.text(), "1");
    EXPECT_EQ(read.summary, "s");
    EXPECT_EQ(parsed<Metadata>("\xEF\xBB\xBFName: a\nVersion: 1").name, "a");
}

TEST(Metadata, OldFilesMayBeOdd) {
    EXPECT_EQ(parsed<Metadata>("Name: a\nVersion: 1\n").metadata_version, "");
    EXPECT_EQ(metadata("Summary: UNKNOWN\nLicense: UNKNOWN\nHome-page: UNKNOWN\n").summary, "");
    EXPECT_EQ(metadata("X-Own-Field: x\n").headers.size(), 4U);
    EXPECT_EQ(metadata("Summary: caf\xE9\n").summary, "caf\xE9");
}

TEST(Metadata, HeadersEndAtTheFirstLineThatIsNone) {
    EXPECT_TRUE(metadata("this is no header\nRequires-Dist: a\n").requires_dist.empty());
    EXPECT_TRUE(metadata("\nRequires-Dist: a\n").requires_dist.empty());
}

TEST(Metadata, RefusesWhatWouldMislead) {
    const std::array<std::pair<std::string, std::string>, 11> wrong{{
        {"two names", identity + "Name: other\n"},
        {"two versions", identity + "Version: 2\n"},
        {"two requirements on Python", identity + "Requires-Python: >=3\nRequires-Python: >=4\n"},
        {"no name", "Version: 1\n"},
        {"no version", "Name: a\n"},
        {"nothing", ""},
        {"a path as name", "Name: ../x\nVersion: 1\n"},
        {"a bad version", "Name: a\nVersion: x\n"},
        {"a bad requirement", identity + "Requires-Dist: a>=\n"},
        {"a future major version", "Metadata-Version: 3.0\nName: a\nVersion: 1\n"},
        {"a NUL byte", identity + std::string("Summary: a\0b\n", 13)},
    }};
    for (const auto& [what, text] : wrong) {
        EXPECT_FALSE(Metadata::parse(text)) << what;
    }
}

TEST(Metadata, ErrorsPointIntoTheFile) {
    EXPECT_EQ(error_offset(Metadata::parse("Name: a\nVersion: x\n")), 17);
    EXPECT_EQ(error_offset(Metadata::parse("Name: a\nVersion: 1\nRequires-Dist: b>=\n")), 37);
}

TEST(Metadata, AFieldIsStaticFrom22OnUnlessItIsDynamic) {
    const auto read =
        parsed<Metadata>("Metadata-Version: 2.2\nName: a\nVersion: 1\nDynamic: Requires-Dist\n");
    EXPECT_FALSE(read.is_static("requires-dist"));
    EXPECT_TRUE(read.is_static("requires-python"));
    EXPECT_FALSE(metadata("").is_static("requires-dist"));
    EXPECT_TRUE(
        parsed<Metadata>("Metadata-Version: 2.10\nName: a\nVersion: 1\n").is_static("requires-dist")
    );
    EXPECT_FALSE(parsed<Metadata>("Name: a\nVersion: 1\n").is_static("requires-dist"));
}

}  // namespace
}  // namespace wheelforge::pep
