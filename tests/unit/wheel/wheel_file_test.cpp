// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "support/thrown_error.hpp"
#include "support/wheel_builder.hpp"
#include "wheel/entry_points.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {
namespace {

using support::thrown_error;
using support::WheelBuilder;

class WheelFileTest : public testing::Test {
protected:
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }
    WheelFile open(const WheelBuilder& builder) { return WheelFile(builder.save(folder())); }
    Error refusal(const WheelBuilder& builder) {
        const Error error = thrown_error([&] { (void)open(builder); });
        EXPECT_EQ(error.code(), ExitCode::refused);
        EXPECT_FALSE(error.context().empty());
        return error;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "wheel-test-"};
};

TEST_F(WheelFileTest, TellsWhatItIs) {
    WheelBuilder builder("Some_Pkg", "1.0+cpu", "cp312-cp312-linux_x86_64");
    builder.info(
        "WHEEL",
        "Wheel-Version: 1.0\r\nGenerator: bdist_wheel (0.45)\r\nRoot-Is-Purelib: false\r\n"
        "Tag: cp312-cp312-linux_x86_64\r\nBuild: 7\r\n\r\n"
    );
    const WheelFile wheel = open(builder);
    EXPECT_EQ(wheel.filename().name, "some-pkg");
    EXPECT_EQ(wheel.dist_info(), "Some_Pkg-1.0+cpu.dist-info");
    EXPECT_EQ(wheel.metadata().name, "Some_Pkg");
    EXPECT_EQ(wheel.metadata().version.text(), "1.0+cpu");
    EXPECT_NE(wheel.metadata_text().find("Metadata-Version: 2.1"), std::string::npos);
    EXPECT_EQ(wheel.info().wheel_version, "1.0");
    EXPECT_EQ(wheel.info().generator, "bdist_wheel (0.45)");
    EXPECT_FALSE(wheel.info().root_is_purelib);
    EXPECT_EQ(wheel.info().tags, (std::vector<std::string>{"cp312-cp312-linux_x86_64"}));
    EXPECT_EQ(wheel.info().build, "7");
    ASSERT_TRUE(wheel.record());
    EXPECT_EQ(wheel.record()->size(), 4U);
}

TEST_F(WheelFileTest, RefusesWhatIsNoWheel) {
    EXPECT_EQ(refusal(WheelBuilder().filename("pkg.whl")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().filename("pkg-1.0-py3-none-any.zip")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().without("pkg-1.0.dist-info/METADATA")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().without("pkg-1.0.dist-info/WHEEL")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().file("other-2.dist-info/METADATA", "")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().info("METADATA", "Name: pkg\n")).id(), "bad-wheel");
    EXPECT_EQ(
        refusal(WheelBuilder().info("METADATA", std::string("Name: pkg\0x\nVersion: 1\n", 21)))
            .id(),
        "bad-wheel"
    );
    EXPECT_EQ(
        refusal(WheelBuilder().info("METADATA", "Name: pkg\nName: other\nVersion: 1.0\n")).id(),
        "bad-wheel"
    );
    EXPECT_EQ(refusal(WheelBuilder().info("WHEEL", "Wheel-Version: 2.0\n")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().info("WHEEL", "Generator: x\n")).id(), "bad-wheel");
    EXPECT_EQ(refusal(WheelBuilder().info("WHEEL", "Wheel-Version: 10\n")).id(), "bad-wheel");
}

TEST_F(WheelFileTest, VendoredDistInfoIsNotItsOwn) {
    WheelBuilder builder;
    builder.file("pkg/_vendor/other-2.0.dist-info/METADATA", "x");
    EXPECT_EQ(open(builder).dist_info(), "pkg-1.0.dist-info");
}

TEST_F(WheelFileTest, NamesTheWheelInItsErrors) {
    const Error error = refusal(WheelBuilder().without("pkg-1.0.dist-info/WHEEL"));
    EXPECT_NE(error.context().back().find("pkg-1.0-py3-none-any.whl"), std::string::npos);
}

TEST_F(WheelFileTest, GivesItsScripts) {
    EXPECT_TRUE(open(WheelBuilder()).entry_point_scripts().empty());
    WheelBuilder builder;
    builder.info("entry_points.txt", "[console_scripts]\nrun = pkg.cli:main\n");
    EXPECT_EQ(open(builder).entry_point_scripts().at("run"), "pkg.cli:main");
}

TEST_F(WheelFileTest, WithoutRecordThereIsNone) {
    EXPECT_FALSE(open(WheelBuilder().record("")).record());
}

TEST(EntryPoints, ReadsTheTwoSectionsOfCommands) {
    const auto scripts = parse_entry_point_scripts(
        "# comment\n; comment\n[other]\nx = a:b\n\n[console_scripts]\nrun=pkg.cli:main\n"
        "  indented = pkg:Class.method [extra1, extra2]\nno value\n"
        "[ gui_scripts ]\r\nwindow = pkg.gui : show\r\n[console_scripts.more]\ny = c:d\n"
    );
    const EntryPoints expected{
        {"run", "pkg.cli:main"},
        {"indented", "pkg:Class.method"},
        {"window", "pkg.gui : show"},
    };
    EXPECT_EQ(scripts, expected);
}

TEST(EntryPoints, NamesBecomePathsAndMustBePlain) {
    for (const char* name : {"run", "run-it", "run.py", "a b", "\xc3\xa9"}) {
        EXPECT_TRUE(is_safe_script_name(name)) << name;
    }
    for (const char* name : {"", "../../bin/sh", "a/b", "a\\b", ".hidden", "..", "a\nb"}) {
        EXPECT_FALSE(is_safe_script_name(name)) << name;
    }
}

TEST(EntryPoints, ValuesBecomeCodeAndMustBeNames) {
    for (const char* value : {"pkg:main", "a.b_c.d:E.f", "pkg : main", "p\xc3\xa9:x"}) {
        EXPECT_TRUE(is_script_value(value)) << value;
    }
    for (const char* value :
         {"", "pkg", "pkg:", ":main", "pkg:main()", "os;import sys:x", "a..b:c", "1a:b", "a:b\"c"
         }) {
        EXPECT_FALSE(is_script_value(value)) << value;
    }
}

}  // namespace
}  // namespace wheelforge::wheel
