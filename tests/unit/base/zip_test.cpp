// SPDX-License-Identifier: Apache-2.0
// Reading and writing good zip files; zip_hostile_test.cpp has the others.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/zip.hpp"
#include "support/plain_file.hpp"
#include "support/thrown_error.hpp"
#include "support/zip_builder.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;
using support::ZipBuilder;
using support::ZipEntry;

/// Text that deflates, but not to nothing.
std::string prose(std::size_t size) {
    std::string text;
    for (unsigned i = 0; text.size() < size; ++i) {
        text += std::to_string(i * 2654435761U) + (i % 7 == 0 ? "\n" : " lorem ");
    }
    text.resize(size);
    return text;
}

class Zip : public testing::Test {
protected:
    [[nodiscard]] fs::path path(const std::string& name = "a.zip") const {
        return folder_.path() / name;
    }
    ZipReader open(const ZipBuilder& zip) {
        support::save(path(), zip.bytes());
        return ZipReader(path());
    }
    static std::string streamed(const ZipReader& zip, const ZipMember& member) {
        std::string content;
        zip.stream(member, [&](std::string_view piece) {
            EXPECT_LE(piece.size(), 1U << 20U);
            content += piece;
        });
        return content;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "zip-test-"};
};

TEST_F(Zip, ReadsStoredAndDeflatedMembers) {
    ZipBuilder builder;
    builder.add("pkg/stored.txt", "stored");
    builder.add({.name = "pkg/deflated.txt", .content = prose(50'000), .deflate = true});
    builder.add({.name = "pkg/run", .content = "#!", .mode = 0100755});
    builder.add({.name = "pkg/", .mode = 040755}).add("pkg/empty", "");
    const ZipReader zip = open(builder);
    ASSERT_EQ(zip.members().size(), 5U);
    EXPECT_EQ(zip.read(*zip.find("pkg/stored.txt")), "stored");
    EXPECT_EQ(zip.read(*zip.find("pkg/deflated.txt")), prose(50'000));
    EXPECT_EQ(streamed(zip, *zip.find("pkg/deflated.txt")), prose(50'000));
    EXPECT_EQ(zip.read(*zip.find("pkg/empty")), "");
    EXPECT_TRUE(zip.find("pkg/run")->is_executable());
    EXPECT_FALSE(zip.find("pkg/stored.txt")->is_executable());
    EXPECT_TRUE(zip.find("pkg/")->is_directory());
    EXPECT_EQ(zip.find("pkg/none"), nullptr);
    EXPECT_EQ(zip.raw(*zip.find("pkg/stored.txt")), "stored");
}

TEST_F(Zip, StreamsLargeMembersInPieces) {
    const std::string content = prose(9'000'000);
    ZipBuilder builder;
    builder.add({.name = "deflated", .content = content, .deflate = true}).add("stored", content);
    const ZipReader zip = open(builder);
    EXPECT_EQ(streamed(zip, *zip.find("deflated")), content);
    EXPECT_EQ(streamed(zip, *zip.find("stored")), content);
}

TEST_F(Zip, ReadRefusesAboveItsLimit) {
    const ZipReader zip = open(ZipBuilder().add("a", "12345"));
    EXPECT_EQ(zip.read(*zip.find("a"), 5), "12345");
    EXPECT_EQ(thrown_error([&] { (void)zip.read(*zip.find("a"), 4); }).id(), "zip-limit");
}

TEST_F(Zip, AcceptsEveryFormOfDataDescriptor) {
    ZipBuilder builder;
    for (const bool wide : {false, true}) {
        for (const bool with_signature : {false, true}) {
            builder.add(
                {.name = std::string(wide ? "w" : "n") + (with_signature ? "s" : "u"),
                 .content = prose(1000),
                 .deflate = true,
                 .descriptor = true,
                 .descriptor64 = wide,
                 .descriptor_signed = with_signature}
            );
        }
    }
    const ZipReader zip = open(builder);
    for (const ZipMember& member : zip.members()) {
        EXPECT_EQ(zip.read(member), prose(1000)) << member.name;
    }
}

TEST_F(Zip, ReadsZip64) {
    std::string extra;
    support::put_le<std::uint16_t>(extra, 1);
    support::put_le<std::uint16_t>(extra, 16);
    support::put_le<std::uint64_t>(extra, 3);
    support::put_le<std::uint64_t>(extra, 3);
    ZipBuilder builder;
    builder.add(
        {.name = "a",
         .content = "abc",
         .size = 0xffffffff,
         .packed_size = 0xffffffff,
         .local_extra = extra,
         .central_extra = extra}
    );
    builder.zip64_end(1);
    const ZipReader zip = open(builder);
    EXPECT_EQ(zip.members()[0].size, 3U);
    EXPECT_EQ(zip.read(zip.members()[0]), "abc");
}

TEST_F(Zip, ReadsTimesWithoutATimeZone) {
    std::string extra;
    support::put_le<std::uint16_t>(extra, 0x5455);
    support::put_le<std::uint16_t>(extra, 5);
    extra += '\1';
    support::put_le<std::uint32_t>(extra, 1'700'000'000);
    ZipBuilder builder;
    builder.add({.name = "dos", .dos_date = 40U << 9U | 2U << 5U | 29U});
    builder.add({.name = "unix", .local_extra = extra, .central_extra = extra});
    builder.add({.name = "nonsense", .dos_date = 15U << 5U});
    const ZipReader zip = open(builder);
    EXPECT_EQ(zip.find("dos")->mtime, 1582934400);  // 2020-02-29
    EXPECT_EQ(zip.find("unix")->mtime, 1'700'000'000);
    EXPECT_EQ(zip.find("nonsense")->mtime, 0);
}

TEST_F(Zip, AcceptsACommentAndNamesBeyondAscii) {
    ZipBuilder builder;
    builder.add({.name = "p/\xc3\xa9.py", .content = "1", .flags = 1U << 11U});
    builder.add({.name = "p/e\xcc\x81.py", .content = "2"}).comment("made by hand");
    const ZipReader zip = open(builder);
    EXPECT_EQ(zip.read(*zip.find("p/\xc3\xa9.py")), "1");
    EXPECT_EQ(zip.read(*zip.find("p/e\xcc\x81.py")), "2");
}

TEST_F(Zip, AcceptsAnEmptyFile) {
    EXPECT_TRUE(open(ZipBuilder()).members().empty());
}

TEST_F(Zip, ManyMembersAreQuick) {
    ZipBuilder builder;
    for (int i = 0; i < 20'000; ++i) {
        builder.add("pkg/folder/" + std::to_string(i), "x");
    }
    const ZipReader zip = open(builder);
    EXPECT_EQ(zip.members().size(), 20'000U);
    EXPECT_NE(zip.find("pkg/folder/19999"), nullptr);
}

TEST_F(Zip, WriterAndReaderAgree) {
    {
        ZipWriter writer(path());
        writer.add("pkg/a.py", prose(10'000));
        writer.add("pkg/run", "#!", 0100);
        writer.add("pkg/\xc3\xa9", "");
        EXPECT_FALSE(fs::exists(path()));
        writer.commit();
    }
    const ZipReader zip(path());
    ASSERT_EQ(zip.members().size(), 3U);
    const ZipMember& text = zip.members()[0];
    EXPECT_EQ(zip.read(text), prose(10'000));
    EXPECT_EQ(text.method, 8);
    EXPECT_LT(text.compressed_size, text.size);
    EXPECT_EQ(text.mode, 0100644U);
    EXPECT_EQ(text.mtime, 315532800);
    EXPECT_EQ(zip.members()[1].mode, 0100755U);
    EXPECT_EQ(zip.members()[1].method, 0);  // deflating two bytes would make them more
    EXPECT_EQ(zip.read(zip.members()[2]), "");
}

TEST_F(Zip, WithoutCommitNothingAppears) {
    { ZipWriter(path()).add("a", "1"); }
    EXPECT_FALSE(fs::exists(path()));
    EXPECT_TRUE(fs::is_empty(path().parent_path()));
}

TEST_F(Zip, WritesTheSameBytesEveryTime) {
    std::map<std::string, std::string> digests;
    for (const char* name : {"1.zip", "2.zip"}) {
        ZipWriter writer(path(name));
        writer.add("a", prose(5000));
        writer.add("b", "x", 0755);
        writer.commit();
        digests[name] = sha256_file(path(name));
    }
    EXPECT_EQ(digests["1.zip"], digests["2.zip"]);
    // What is written is part of the contract: a change here gives every wheel another digest.
    ZipWriter writer(path("golden.zip"));
    writer.add("a", "x", 0755);
    writer.commit();
    const std::string bytes = read_file(path("golden.zip"));
    EXPECT_EQ(bytes.size(), 30U + 1 + 1 + 46 + 1 + 22);
    EXPECT_EQ(bytes.substr(10, 4), std::string("\0\0\x21\0", 4));  // 1980-01-01 00:00
    EXPECT_EQ(bytes.substr(28, 2), std::string("\0\0", 2));        // no extra field
}

TEST_F(Zip, CopiesMembersRaw) {
    ZipBuilder builder;
    builder.add(
        {.name = "deflated",
         .content = prose(9000),
         .deflate = true,
         .mode = 0100711,
         .dos_date = 0x5a21,
         .descriptor = true}
    );
    builder.add({.name = "stored", .content = "s", .mode = 0});
    builder.add({.name = "folder/", .mode = 040700});
    const ZipReader from = open(builder);
    ZipWriter writer(path("copy.zip"));
    for (const ZipMember& member : from.members()) {
        writer.add_raw(from, member);
    }
    writer.commit();
    const ZipReader copy(path("copy.zip"));
    EXPECT_EQ(copy.raw(*copy.find("deflated")), from.raw(*from.find("deflated")));
    EXPECT_EQ(copy.read(*copy.find("deflated")), prose(9000));
    EXPECT_EQ(copy.find("deflated")->mode, 0100755U);
    EXPECT_EQ(copy.find("deflated")->mtime, 315532800);
    EXPECT_EQ(copy.find("stored")->mode, 0100644U);
    EXPECT_EQ(copy.find("folder/")->mode, 040755U);
}

TEST_F(Zip, WritesZip64WhenThereAreTooManyMembers) {
    ZipWriter writer(path());
    for (int i = 0; i < 65'536; ++i) {
        writer.add(std::to_string(i), "");
    }
    writer.commit();
    const ZipReader zip(path());
    EXPECT_EQ(zip.members().size(), 65'536U);
    EXPECT_EQ(zip.members().back().name, "65535");
}

TEST_F(Zip, RefusesToWriteANameTwice) {
    ZipWriter writer(path());
    writer.add("a", "1");
    EXPECT_EQ(thrown_error([&] { writer.add("a", "2"); }).code(), ExitCode::bug);
}

TEST_F(Zip, TellsWhichFileIsMissing) {
    const Error error = thrown_error([&] { (void)ZipReader(path("none.zip")); });
    EXPECT_EQ(error.id(), "file-not-found");
}

}  // namespace
}  // namespace wheelforge
