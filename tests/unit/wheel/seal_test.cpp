// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "support/thrown_error.hpp"
#include "support/wheel_builder.hpp"
#include "wheel/seal.hpp"

namespace wheelforge::wheel {
namespace {

using support::thrown_error;
using support::WheelBuilder;
using Names = std::vector<std::string>;

class Seal : public testing::Test {
protected:
    [[nodiscard]] fs::path raw_folder() const { return folder_.path() / "raw"; }
    [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }
    SealRequest request(const WheelBuilder& builder) {
        SealRequest made;
        made.raw = builder.save(raw_folder());
        made.folder = out();
        make_directories(out());
        made.expected_name = "pkg";
        made.expected_version = pep::Version::parse("1.0").value();
        made.extra_files = {
            {"wheelforge/build.json", "{}\n"}, {"sboms/wheelforge.cdx.json", "{1}\n"}
        };
        return made;
    }
    Names ids(const SealRequest& made) {
        const SealedWheel sealed = seal(made);
        Names out_ids;
        for (const Finding& finding : sealed.findings) {
            out_ids.push_back(finding.id);
        }
        EXPECT_EQ(sealed.path.empty(), has_errors(sealed.findings));
        return out_ids;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "seal-test-"};
};

TEST_F(Seal, AddsFilesAndOrdersMembers) {
    WheelBuilder builder;
    builder.file("zzz.py", "last by name").file("pkg/run.sh", "#!/bin/sh\n", true);
    const SealedWheel sealed = seal(request(builder.shuffled()));
    EXPECT_EQ(sealed.path, out() / "pkg-1.0-py3-none-any.whl");
    EXPECT_EQ(sealed.filename, "pkg-1.0-py3-none-any.whl");
    EXPECT_EQ(sealed.sha256, sha256_file(sealed.path));
    EXPECT_EQ(sealed.version.text(), "1.0");
    EXPECT_EQ(sealed.metadata.name, "pkg");
    const WheelFile wheel(sealed.path);
    Names names;
    for (const ZipMember& member : wheel.zip().members()) {
        names.push_back(member.name);
    }
    EXPECT_EQ(
        names,
        (Names{
            "pkg/__init__.py",
            "pkg/run.sh",
            "zzz.py",
            "pkg-1.0.dist-info/METADATA",
            "pkg-1.0.dist-info/WHEEL",
            "pkg-1.0.dist-info/sboms/wheelforge.cdx.json",
            "pkg-1.0.dist-info/wheelforge/build.json",
            "pkg-1.0.dist-info/RECORD"
        })
    );
    EXPECT_TRUE(wheel.zip().find("pkg/run.sh")->is_executable());
    EXPECT_EQ(
        wheel.zip().read(*wheel.zip().find("pkg-1.0.dist-info/sboms/wheelforge.cdx.json")), "{1}\n"
    );
    EXPECT_TRUE(check_structure(wheel).empty());
    EXPECT_EQ(payload_digest(wheel), sealed.payload);
}

TEST_F(Seal, SameFilesGiveTheSameBytes) {
    const SealRequest plain = request(WheelBuilder());
    const SealedWheel first = seal(plain);
    const std::string bytes = read_file(first.path);
    WheelBuilder other;
    const SealedWheel second = seal(request(other.shuffled()));
    EXPECT_EQ(second.sha256, first.sha256);
    EXPECT_EQ(read_file(second.path), bytes);
}

TEST_F(Seal, SealingAgainReplacesOurOwnFiles) {
    const SealedWheel once = seal(request(WheelBuilder()));
    SealRequest again = request(WheelBuilder());
    again.raw = once.path;
    again.folder = raw_folder();
    again.extra_files[0].second = "{\"new\": 1}\n";
    const SealedWheel twice = seal(again);
    ASSERT_FALSE(twice.path.empty());
    EXPECT_EQ(twice.payload, once.payload);
    const WheelFile wheel(twice.path);
    EXPECT_EQ(
        wheel.zip().read(*wheel.zip().find("pkg-1.0.dist-info/wheelforge/build.json")),
        "{\"new\": 1}\n"
    );
    EXPECT_TRUE(check_structure(wheel).empty());
}

TEST_F(Seal, DropsSignaturesOfTheOldRecord) {
    WheelBuilder builder;
    const std::string record = builder.right_record();
    builder.info("RECORD.jws", "{}").record(record);
    const WheelFile wheel(seal(request(builder)).path);
    EXPECT_EQ(wheel.zip().find("pkg-1.0.dist-info/RECORD.jws"), nullptr);
}

TEST_F(Seal, NeverReplacesTheWheelsOwnFiles) {
    for (const char* name : {"METADATA", "RECORD"}) {
        SealRequest made = request(WheelBuilder());
        made.extra_files = {{name, "x"}};
        EXPECT_EQ(thrown_error([&] { (void)seal(made); }).id(), "seal-clash") << name;
        EXPECT_TRUE(fs::is_empty(out())) << name;
    }
}

TEST_F(Seal, ExaminedFactsNeedNoSecondHashing) {
    const SealRequest made = request(WheelBuilder());
    const RawWheelFacts facts = examine(made.raw, "pkg", made.expected_version, nullptr);
    EXPECT_EQ(facts.filename, "pkg-1.0-py3-none-any.whl");
    EXPECT_EQ(facts.version.text(), "1.0");
    EXPECT_EQ(facts.files.size(), 4U);
    EXPECT_NE(facts.metadata_text.find("Name: pkg"), std::string::npos);
    EXPECT_EQ(seal(made, facts).payload, facts.payload);
    EXPECT_EQ(seal(made, facts).sha256, seal(made).sha256);
    const SealRequest other = request(WheelBuilder().file("pkg/__init__.py", "longer content"));
    EXPECT_EQ(thrown_error([&] { (void)seal(other, facts); }).id(), "seal-changed");
}

TEST_F(Seal, WithErrorsNothingIsWritten) {
    EXPECT_EQ(ids(request(WheelBuilder().record(""))), Names{"record-missing"});
    WheelBuilder unlisted;
    const std::string record = unlisted.right_record();
    EXPECT_EQ(ids(request(unlisted.file("x.py", "").record(record))), Names{"record-unlisted"});
    EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(Seal, ANameOrVersionNobodyAskedForIsRefused) {
    SealRequest made = request(WheelBuilder());
    made.expected_name = "other";
    EXPECT_EQ(ids(made), Names{"name-mismatch"});
    made = request(WheelBuilder());
    made.expected_version = pep::Version::parse("2.0").value();
    EXPECT_EQ(ids(made), Names{"version-mismatch"});
    made = request(WheelBuilder("PKG", "1.0.0"));
    EXPECT_EQ(ids(made), Names{});
}

TEST_F(Seal, ALocalVersionMayBeAddedButNotChanged) {
    SealRequest made = request(WheelBuilder("pkg", "1.0+rocm6.4"));
    EXPECT_EQ(ids(made), Names{"local-version"});
    EXPECT_EQ(seal(made).version.text(), "1.0+rocm6.4");
    EXPECT_EQ(seal(made).filename, "pkg-1.0+rocm6.4-py3-none-any.whl");
    made.expected_version = pep::Version::parse("1.0+cpu").value();
    EXPECT_EQ(ids(made), Names{"version-mismatch"});
    made = request(WheelBuilder());
    made.expected_version = pep::Version::parse("1.0+cpu").value();
    EXPECT_EQ(ids(made), Names{"version-mismatch"});
}

TEST_F(Seal, TagsMustFitTheTarget) {
    const auto target =
        pep::cpython_linux_target(pep::Version::parse("3.12.1").value(), "x86_64", 2, 36);
    const auto with_tag = [&](const std::string& tag) {
        SealRequest made = request(WheelBuilder("pkg", "1.0", tag));
        made.target = &target;
        return ids(made);
    };
    EXPECT_EQ(with_tag("py3-none-any"), Names{});
    EXPECT_EQ(with_tag("cp312-cp312-linux_x86_64"), Names{});
    EXPECT_EQ(with_tag("cp39-abi3-manylinux_2_17_x86_64"), Names{});
    EXPECT_EQ(with_tag("cp313-cp313-linux_x86_64"), Names{"tag-foreign"});
    EXPECT_EQ(with_tag("cp312-cp312-linux_aarch64"), Names{"tag-foreign"});
    EXPECT_EQ(with_tag("cp312-cp312-manylinux_2_39_x86_64"), Names{"tag-foreign"});
}

TEST_F(Seal, WhatIsNoWheelIsAnError) {
    SealRequest made = request(WheelBuilder().filename("strange name.whl"));
    EXPECT_EQ(thrown_error([&] { (void)seal(made); }).id(), "bad-wheel");
}

}  // namespace
}  // namespace wheelforge::wheel
