// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "support/wheel_builder.hpp"
#include "wheel/contents.hpp"

namespace wheelforge::wheel {
namespace {

using support::WheelBuilder;
using Ids = std::vector<std::string>;

class Structure : public testing::Test {
protected:
    std::vector<Finding> check(const WheelBuilder& builder) {
        return check_structure(WheelFile(builder.save(folder_.path())));
    }
    /// Ids of the findings, sorted; warnings with a '?'.
    Ids ids(const WheelBuilder& builder) {
        Ids out;
        for (const Finding& finding : check(builder)) {
            EXPECT_FALSE(finding.evidence.empty()) << finding.id;
            out.push_back(finding.id + (finding.level == Level::error ? "" : "?"));
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    std::string payload(const WheelBuilder& builder) {
        return payload_digest(WheelFile(builder.save(folder_.path())));
    }

private:
    TempDir folder_{fs::temp_directory_path(), "structure-test-"};
};

TEST_F(Structure, ARightWheelHasNoFindings) {
    EXPECT_EQ(ids(WheelBuilder()), Ids{});
    EXPECT_EQ(ids(WheelBuilder().shuffled()), Ids{});
    WheelBuilder full(
        "Some.Pkg", "1.0.post1+cpu", "cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64"
    );
    full.info(
        "WHEEL",
        "Wheel-Version: 1.0\nTag: cp312-cp312-manylinux2014_x86_64\n"
        "Tag: cp312-cp312-manylinux_2_17_x86_64\n"
    );
    full.file("Some.Pkg-1.0.post1+cpu.data/scripts/run", "#!python\n", true);
    full.file("Some.Pkg-1.0.post1+cpu.data/data/share/x,y.txt", "1");
    full.info("entry_points.txt", "[console_scripts]\nrun = pkg.cli:main\n");
    EXPECT_EQ(ids(full), Ids{});
}

TEST_F(Structure, RecordMissing) {
    EXPECT_EQ(ids(WheelBuilder().record("")), Ids{"record-missing"});
}

TEST_F(Structure, RecordThatLies) {
    const std::string right = WheelBuilder().right_record();
    std::string wrong = right;
    wrong[wrong.find("sha256=") + 7] ^= 1;
    EXPECT_EQ(ids(WheelBuilder().record(wrong)), Ids{"record-mismatch"});
    std::string size = right;
    size.insert(size.find('\n'), "0");
    EXPECT_EQ(ids(WheelBuilder().record(size)), Ids{"record-mismatch"});
    EXPECT_EQ(ids(WheelBuilder().record(right.substr(right.find('\n') + 1))).size(), 1U);
    EXPECT_EQ(ids(WheelBuilder().record(right + "gone.py,sha256=x,1\n")), Ids{"record-absent"});
    EXPECT_EQ(
        ids(WheelBuilder().record(right + "pkg/__init__.py,sha256=other,1\n")),
        Ids{"record-duplicate"}
    );
    EXPECT_EQ(
        ids(WheelBuilder().record(right + right)),
        (Ids{"record-duplicate?", "record-duplicate?", "record-duplicate?", "record-duplicate?"})
    );
}

TEST_F(Structure, FilesThatRecordDoesNotList) {
    WheelBuilder builder;
    const std::string before = builder.right_record();
    builder.file("pkg/extra.py", "1").record(before);
    const auto findings = check(builder);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].id, "record-unlisted");
    EXPECT_EQ(findings[0].file, "pkg/extra.py");
    EXPECT_FALSE(findings[0].advice.empty());
}

TEST_F(Structure, WeakAndStrongDigests) {
    const auto with_digest = [](const std::string& text) {
        std::string record = WheelBuilder().right_record();
        const auto at = record.find("sha256=");
        return WheelBuilder().record(record.replace(at, record.find(',', at) - at, text));
    };
    const auto digest = [](const char* algorithm) {
        // The first row is METADATA's: '-' sorts before '/'.
        Hasher hasher(algorithm);
        hasher.update("Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n");
        return std::string(algorithm) + "=" + hasher.finish_base64url();
    };
    EXPECT_EQ(ids(with_digest(digest("sha512"))), Ids{});
    EXPECT_EQ(ids(with_digest(digest("sha384"))), Ids{});
    EXPECT_EQ(ids(with_digest("sha512=AAAA")), Ids{"record-mismatch"});
    EXPECT_EQ(ids(with_digest(digest("md5"))), Ids{"record-weak-hash"});
    EXPECT_EQ(ids(with_digest(digest("sha1"))), Ids{"record-weak-hash"});
    EXPECT_EQ(ids(with_digest("no-such=AAAA")), Ids{"record-weak-hash"});
    EXPECT_EQ(ids(with_digest("")), Ids{"record-weak-hash"});
}

TEST_F(Structure, SignaturesOfRecordNeedNotBeListed) {
    WheelBuilder builder;
    const std::string record = builder.right_record();
    builder.info("RECORD.jws", "{}").info("RECORD.p7s", "x").record(record);
    EXPECT_EQ(ids(builder), Ids{});
}

TEST_F(Structure, IdentityAgreesEverywhere) {
    const auto metadata = [](const std::string& name, const std::string& version) {
        return WheelBuilder().info(
            "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n"
        );
    };
    EXPECT_EQ(ids(metadata("PKG", "1.0.0")), Ids{});  // only written differently
    EXPECT_EQ(ids(metadata("other", "1.0")), Ids{"metadata-name"});
    EXPECT_EQ(ids(metadata("pkg", "1.1")), Ids{"metadata-version"});
    EXPECT_EQ(ids(metadata("pkg", "1.0+local")), Ids{"metadata-version"});
    EXPECT_EQ(
        ids(WheelBuilder().filename("pkg-1.1-py3-none-any.whl")),
        (Ids{"dist-info-name", "metadata-version"})
    );
    EXPECT_EQ(
        ids(WheelBuilder("pkg", "1.0")
                .info(
                    "METADATA",
                    "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\nSummary: \xff\xfe\n"
                )),
        Ids{"metadata-encoding?"}
    );
}

TEST_F(Structure, TagsAgreeWithTheFileName) {
    const auto tagged = [](const std::string& lines) {
        return WheelBuilder("pkg", "1.0", "py2.py3-none-any")
            .info("WHEEL", "Wheel-Version: 1.0\n" + lines);
    };
    EXPECT_EQ(ids(tagged("Tag: py3-none-any\nTag: py2-none-any\n")), Ids{});
    EXPECT_EQ(ids(tagged("Tag: py2.py3-none-any\n")), Ids{});
    EXPECT_EQ(ids(tagged("Tag: py3-none-any\n")), Ids{"wheel-tags"});
    EXPECT_EQ(ids(tagged("")), Ids{"wheel-tags"});
    EXPECT_EQ(ids(tagged("Tag: nonsense\n")), Ids{"wheel-tags"});
    EXPECT_EQ(
        ids(WheelBuilder().filename("pkg-1.0-cp312-cp312-linux_x86_64.whl")), Ids{"wheel-tags"}
    );
}

TEST_F(Structure, NewerMinorVersionAndBuildTagsWarn) {
    EXPECT_EQ(
        ids(WheelBuilder().info("WHEEL", "Wheel-Version: 1.9\nTag: py3-none-any\n")),
        Ids{"wheel-version?"}
    );
    EXPECT_EQ(ids(WheelBuilder().filename("pkg-1.0-2cu-py3-none-any.whl")), Ids{"wheel-build?"});
    WheelBuilder agreeing;
    agreeing.info("WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\nBuild: 2cu\n");
    EXPECT_EQ(ids(agreeing.filename("pkg-1.0-2cu-py3-none-any.whl")), Ids{});
}

TEST_F(Structure, DataHasFiveSchemes) {
    for (const char* scheme : {"purelib", "platlib", "headers", "scripts", "data"}) {
        EXPECT_EQ(ids(WheelBuilder().file("pkg-1.0.data/" + std::string(scheme) + "/x", "")), Ids{})
            << scheme;
    }
    EXPECT_EQ(
        ids(WheelBuilder().file("pkg-1.0.data/etc/a", "").file("pkg-1.0.data/etc/b", "")),
        Ids{"data-unknown-scheme"}
    );
    EXPECT_EQ(ids(WheelBuilder().file("pkg-1.0.data/scripts", "")), Ids{"data-unknown-scheme"});
    EXPECT_EQ(ids(WheelBuilder().file("other-1.0.data/scripts/x", "")), Ids{"data-folder-name"});
    EXPECT_EQ(ids(WheelBuilder().file("pkg/x.data/y/z", "")), Ids{});
}

TEST_F(Structure, EntryPointsStayInTheirFolder) {
    const auto scripts = [](const std::string& text) {
        return WheelBuilder().info("entry_points.txt", "[console_scripts]\n" + text);
    };
    EXPECT_EQ(ids(scripts("../../bin/sh = pkg:main\n")), Ids{"entry-point-name"});
    EXPECT_EQ(ids(scripts("run = pkg:main;import os\n")), Ids{"entry-point-value"});
    EXPECT_EQ(ids(scripts("= x\n")), (Ids{"entry-point-name", "entry-point-value"}));
    // What is no command is nobody's business here.
    EXPECT_EQ(ids(WheelBuilder().info("entry_points.txt", "[plugins]\na/b = nonsense\n")), Ids{});
}

TEST_F(Structure, EvidenceIsHarmlessOnATerminal) {
    WheelBuilder builder;
    builder.info("entry_points.txt", "[console_scripts]\n\x1b[2Jrun = \x1b]0;x\n");
    for (const Finding& finding : check(builder)) {
        EXPECT_EQ(finding.evidence.find('\x1b'), std::string::npos) << finding.id;
    }
}

TEST_F(Structure, AFloodIsCounted) {
    WheelBuilder builder;
    const std::string record = builder.right_record();
    for (int i = 0; i < 500; ++i) {
        builder.file("pkg/" + std::to_string(i) + ".py", "");
    }
    const auto findings = check(builder.record(record));
    EXPECT_EQ(findings.size(), 20U);
    EXPECT_NE(findings.back().evidence.find("480 more"), std::string::npos);
}

TEST_F(Structure, PayloadIsWhatAnInstalledFileCouldTell) {
    const std::string plain = payload(WheelBuilder());
    EXPECT_EQ(plain.size(), 64U);
    EXPECT_EQ(payload(WheelBuilder().shuffled()), plain);
    EXPECT_EQ(payload(WheelBuilder().record("")), plain);
    EXPECT_EQ(payload(WheelBuilder().info("sboms/a.json", "{}")), plain);
    EXPECT_EQ(payload(WheelBuilder().info("wheelforge/build.json", "{}")), plain);
    EXPECT_EQ(payload(WheelBuilder().info("RECORD.jws", "{}")), plain);
    EXPECT_NE(payload(WheelBuilder().file("pkg/__init__.py", "value = 2\n")), plain);
    EXPECT_NE(payload(WheelBuilder().file("pkg/__init__.py", "value = 1\n", true)), plain);
    EXPECT_NE(payload(WheelBuilder().file("pkg/new.py", "")), plain);
    EXPECT_NE(payload(WheelBuilder().info("licenses/LICENSE", "")), plain);
    EXPECT_NE(payload(WheelBuilder().file("pkg/RECORD", "")), plain);
}

TEST(Findings, LevelsHaveNames) {
    EXPECT_EQ(level_name(Level::off), "off");
    EXPECT_EQ(level_name(Level::info), "info");
    EXPECT_EQ(level_name(Level::warn), "warn");
    EXPECT_EQ(level_name(Level::error), "error");
    EXPECT_FALSE(has_errors({}));
    EXPECT_FALSE(has_errors({{"a", Level::warn, "", "", ""}}));
    EXPECT_TRUE(has_errors({{"a", Level::warn, "", "", ""}, {"b", Level::error, "", "", ""}}));
}

}  // namespace
}  // namespace wheelforge::wheel
