// SPDX-License-Identifier: Apache-2.0
#include "parsing.hpp"
#include <array>

#include <gtest/gtest.h>

#include "pep/filename.hpp"

namespace wheelforge::pep {
namespace {

TEST(WheelFilename, HasNameVersionBuildAndTags) {
    const auto wheel = parsed<WheelFilename>("Foo_Bar-1.0.RC1-12ab-py2.py3-none-any.whl");
    EXPECT_EQ(wheel.name, "foo-bar");
    EXPECT_EQ(wheel.written_name, "Foo_Bar");
    EXPECT_EQ(wheel.version.text(), "1.0rc1");
    EXPECT_EQ(wheel.written_version, "1.0.RC1");
    EXPECT_EQ(wheel.build, std::pair(std::uint64_t{12}, std::string("ab")));
    EXPECT_EQ(wheel.tag_set, "py2.py3-none-any");
    EXPECT_EQ(wheel.tags.size(), 2U);
}

TEST(WheelFilename, NeedsNoBuildTag) {
    EXPECT_EQ(parsed<WheelFilename>("a-1-py3-none-any.whl").build, std::nullopt);
    EXPECT_EQ(parsed<WheelFilename>("a-1-007-py3-none-any.whl").build->first, 7U);
}

TEST(WheelFilename, KeepsLocalVersions) {
    const auto wheel = parsed<WheelFilename>("torch-2.10.0+rocm7.1-cp312-cp312-linux_x86_64.whl");
    EXPECT_EQ(wheel.version.local_text(), "rocm7.1");
}

TEST(WheelFilename, RefusesWhatIsNoneAndSaysWhere) {
    const std::array<std::pair<std::string_view, int>, 12> wrong{{
        {"foo-1.0.zip", 11},
        {"foo-1.0.whl", 0},
        {"a-1-2-3-py3-none-any.whl", 0},
        {"foo__bar-1.0-py3-none-any.whl", 3},
        {"foo#bar-1.0-py3-none-any.whl", 3},
        {"../x-1.0-py3-none-any.whl", 0},
        {"-1.0-py3-none-any.whl", 0},
        {"foo-1.x-py3-none-any.whl", 5},
        {"foo-1.0-abc-py3-none-any.whl", 8},
        {"foo-1.0-99999999999999999999-py3-none-any.whl", 8},
        {"foo-1.0-py3-none-a/b.whl", 18},
        {"foo-1.0-py3..py2-none-any.whl", 12},
    }};
    for (const auto& [name, offset] : wrong) {
        EXPECT_EQ(error_offset(WheelFilename::parse(name)), offset) << name;
    }
}

TEST(SdistFilename, DividesAtTheLastDash) {
    const auto sdist = SdistFilename::parse("Foo.Bar-1.0.zip", "").value();
    EXPECT_EQ(sdist.name, "foo-bar");
    EXPECT_EQ(sdist.version.text(), "1.0");
    EXPECT_EQ(sdist.extension, ".zip");
}

TEST(SdistFilename, KnowsTheExtensionsOfAllTimes) {
    for (const char* extension : {".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz"}) {
        const auto sdist = SdistFilename::parse("a-1" + std::string(extension), "a");
        EXPECT_EQ(sdist.value().extension, extension);
    }
    EXPECT_FALSE(SdistFilename::parse("a-1.tar", "a"));
    EXPECT_FALSE(SdistFilename::parse("a-1.exe", "a"));
}

TEST(SdistFilename, TheProjectSettlesWhereAnOldNameEnds) {
    EXPECT_EQ(SdistFilename::parse("a-b-1.0.tar.gz", "a_b").value().version.text(), "1.0");
    EXPECT_EQ(SdistFilename::parse("a-1.0-1.tar.gz", "a").value().version.text(), "1.0.post1");
    EXPECT_EQ(SdistFilename::parse("a-1.0-beta.tar.gz", "a").value().version.text(), "1.0b0");
    EXPECT_EQ(SdistFilename::parse("a-2-1.0.tar.gz", "a-2").value().version.text(), "1.0");
    EXPECT_FALSE(SdistFilename::parse("a-b-1.0.tar.gz", "a"));
    EXPECT_FALSE(SdistFilename::parse("other-1.0.tar.gz", "a"));
}

TEST(SdistFilename, RefusesWhatIsNone) {
    for (const char* name :
         {"a.tar.gz", "-1.0.tar.gz", "a-x.tar.gz", "../a-1.0.tar.gz", "a-.zip"}) {
        EXPECT_FALSE(SdistFilename::parse(name, "a")) << name;
        EXPECT_FALSE(SdistFilename::parse(name, "")) << name;
    }
}

TEST(Filename, HasALimit) {
    const std::string name(250, 'a');
    EXPECT_FALSE(WheelFilename::parse(name + "-1-py3-none-any.whl"));
    EXPECT_FALSE(SdistFilename::parse(name + "-1.zip", name));
    EXPECT_TRUE(SdistFilename::parse(name.substr(1) + "-1.zip", ""));
}

}  // namespace
}  // namespace wheelforge::pep
