// SPDX-License-Identifier: Apache-2.0
// Zip files on which readers differ, or which do harm: each is refused by its rule.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/zip.hpp"
#include "base/zip_directory.hpp"
#include "support/plain_file.hpp"
#include "support/thrown_error.hpp"
#include "support/zip_builder.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;
using support::ZipBuilder;
using support::ZipEntry;

class HostileZip : public testing::Test {
protected:
    Error refusal(const std::string& bytes, const ZipLimits& limits = {}) {
        support::save(path(), bytes);
        const Error error = thrown_error([&] { (void)ZipReader(path(), limits); });
        EXPECT_EQ(error.code(), ExitCode::refused) << error.message();
        return error;
    }
    std::string refused_as(ZipEntry entry) {
        return refusal(ZipBuilder().add("good", "1").add(std::move(entry)).add("last", "2").bytes())
            .id();
    }
    [[nodiscard]] fs::path path() const { return folder_.path() / "a.zip"; }

private:
    TempDir folder_{fs::temp_directory_path(), "hostile-zip-"};
};

std::string extra(std::uint16_t id, const std::string& content) {
    std::string out;
    support::put_le(out, id);
    support::put_le(out, static_cast<std::uint16_t>(content.size()));
    return out + content;
}

TEST_F(HostileZip, Names) {
    for (const std::string& name :
         {std::string("../evil"),
          std::string("/evil"),
          std::string("a/../b"),
          std::string("a\\b"),
          std::string("a//b"),
          std::string("./a"),
          std::string("a/."),
          std::string("a\0b", 3),
          std::string("a\nb"),
          std::string("\xff"),
          std::string("a/") + std::string(256, 'x'),
          std::string("/"),
          std::string("")}) {
        EXPECT_EQ(refused_as({.name = name}), "zip-name") << name;
    }
}

TEST_F(HostileZip, ASecondNameInAnExtraField) {
    const std::string same = extra(0x7075, std::string("\1....", 5) + "a");
    const std::string other = extra(0x7075, std::string("\1....", 5) + "b");
    support::save(path(), ZipBuilder().add({.name = "a", .central_extra = same}).bytes());
    EXPECT_EQ(ZipReader(path()).members().size(), 1U);
    EXPECT_EQ(refused_as({.name = "a", .central_extra = other}), "zip-name");
    EXPECT_EQ(refused_as({.name = "a", .local_extra = other}), "zip-name");
}

TEST_F(HostileZip, TypesThatAWheelDoesNotHold) {
    EXPECT_EQ(refused_as({.name = "link", .content = "/etc", .mode = 0120777}), "zip-special");
    EXPECT_EQ(refused_as({.name = "device", .mode = 020644}), "zip-special");
    EXPECT_EQ(refused_as({.name = "folder", .mode = 040755}), "zip-special");
    EXPECT_EQ(refused_as({.name = "file/", .mode = 0100644}), "zip-special");
    EXPECT_EQ(refused_as({.name = "full/", .content = "x", .mode = 040755}), "zip-special");
}

TEST_F(HostileZip, Duplicates) {
    EXPECT_EQ(refused_as({.name = "good"}), "zip-duplicate");
    EXPECT_EQ(refused_as({.name = "good/", .mode = 040755}), "zip-duplicate");
    EXPECT_EQ(refused_as({.name = "good/below"}), "zip-duplicate");
    EXPECT_EQ(refused_as({.name = "good/far/below"}), "zip-duplicate");
}

TEST_F(HostileZip, LocalHeaderDisagrees) {
    EXPECT_EQ(refused_as({.name = "a", .local_name = "b"}), "zip-mismatch");
    EXPECT_EQ(refused_as({.name = "a", .local_name = "longer"}), "zip-mismatch");
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .local_method = 8}), "zip-mismatch");
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .local_size = 2}), "zip-mismatch");
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .local_flags = 1U << 3U}), "zip-mismatch");
}

TEST_F(HostileZip, DataDescriptorDisagrees) {
    EXPECT_EQ(
        refused_as({.name = "a", .content = "xyz", .descriptor = true, .junk_after = "...."}),
        "zip-mismatch"
    );
    EXPECT_EQ(
        refused_as({.name = "a", .content = "xyz", .descriptor = true, .junk_after = "12345678"}),
        "zip-mismatch"
    );
    std::string bytes =
        ZipBuilder().add({.name = "a", .content = "xyz", .descriptor = true}).bytes();
    bytes[30 + 1 + 3 + 4] = static_cast<char>(bytes[30 + 1 + 3 + 4] ^ 1);  // its CRC
    EXPECT_EQ(refusal(bytes).id(), "zip-mismatch");
}

TEST_F(HostileZip, BytesThatBelongToNoMember) {
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .junk_after = "junk"}), "zip-overlap");
    EXPECT_EQ(refusal(ZipBuilder().add("a", "1").bytes() + "junk").id(), "zip-trailing");
    EXPECT_EQ(refusal(ZipBuilder().add("a", "1").before_end("junk").bytes()).id(), "zip-damaged");
    // A self-extracting prefix, with offsets that count it and with offsets that do not.
    EXPECT_EQ(
        refusal(ZipBuilder().prefix("#!/bin/sh\n").add("a", "1").bytes()).id(), "zip-trailing"
    );
    EXPECT_EQ(refusal("#!/bin/sh\n" + ZipBuilder().add("a", "1").bytes()).id(), "zip-damaged");
    // A whole zip file hidden before another one.
    const std::string hidden = ZipBuilder().add("hidden", "1").bytes();
    EXPECT_EQ(refusal(ZipBuilder().prefix(hidden).add("a", "1").bytes()).id(), "zip-trailing");
}

TEST_F(HostileZip, Overlaps) {
    EXPECT_EQ(refused_as({.name = "a", .offset = 0}), "zip-overlap");
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .offset = 1'000'000}), "zip-overlap");
    EXPECT_EQ(
        refused_as({.name = "a", .content = "x", .size = 100'000, .packed_size = 100'000}),
        "zip-overlap"
    );
    EXPECT_EQ(refused_as({.name = "a", .content = "x", .offset = 3}), "zip-damaged");
}

TEST_F(HostileZip, TwoEnds) {
    const std::string inner = ZipBuilder().bytes();  // an end record of its own
    EXPECT_EQ(refusal(ZipBuilder().add("a", "1").comment(inner).bytes()).id(), "zip-two-ends");
    EXPECT_EQ(refusal(ZipBuilder().add("a", "1").zip64_end(2).bytes()).id(), "zip-two-ends");
}

TEST_F(HostileZip, CountsAndOffsetsThatLie) {
    EXPECT_EQ(refusal(ZipBuilder().add("a", "1").claim_entries(2).bytes()).id(), "zip-limit");
    EXPECT_EQ(
        refusal(ZipBuilder().add("a", "1").add("b", "").claim_entries(1).bytes()).id(),
        "zip-damaged"
    );
    EXPECT_EQ(
        refusal(ZipBuilder().add("a", "1").claim_directory_offset(5).bytes()).id(), "zip-damaged"
    );
    EXPECT_EQ(
        refusal(ZipBuilder().add("a", "1").claim_directory_offset(0xffffffff).bytes()).id(),
        "zip-damaged"
    );
    EXPECT_EQ(
        refused_as({.name = "a", .content = "x", .size = 0xffffffff, .packed_size = 0xffffffff}),
        "zip-damaged"
    );
}

TEST(ZipDirectory, EveryCutIsNoticed) {
    const std::string whole =
        ZipBuilder().add({.name = "a", .content = "xyz", .deflate = true}).add("b", "1").bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Error error = thrown_error([&] {
            (void)read_zip_directory(std::string_view(whole).substr(0, size), {});
        });
        EXPECT_EQ(error.code(), ExitCode::refused) << size;
    }
}

TEST_F(HostileZip, EncryptionAndOtherMethods) {
    EXPECT_EQ(refused_as({.name = "a", .flags = 1}), "zip-encrypted");
    EXPECT_EQ(refused_as({.name = "a", .flags = 1U << 13U}), "zip-encrypted");
    EXPECT_EQ(refused_as({.name = "a", .method = 12}), "zip-method");
    EXPECT_EQ(refused_as({.name = "a", .method = 9}), "zip-method");
}

TEST_F(HostileZip, Limits) {
    const std::string zip = ZipBuilder().add("a", "1234").add("b", "5678").bytes();
    EXPECT_EQ(refusal(zip, {.unpacked_bytes = 7}).id(), "zip-limit");
    EXPECT_EQ(refusal(zip, {.members = 1}).id(), "zip-limit");
    ZipBuilder bomb;
    bomb.add({.name = "a", .content = std::string(1'000'000, '\0'), .deflate = true});
    EXPECT_EQ(refusal(bomb.bytes(), {.ratio = 100}).id(), "zip-limit");
    EXPECT_EQ(
        refused_as({.name = "a", .content = "x", .deflate = true, .size = 0xfffffffe}), "zip-limit"
    );
}

/// Opens, since the structure is right; the content is not.
TEST_F(HostileZip, ContentThatDoesNotMatchItsHeader) {
    const std::string small(5000, 'x');
    const std::string large(10'000'000, 'x');  // streamed by another way
    for (const std::string& content : {small, large}) {
        const auto size = static_cast<std::uint32_t>(content.size());
        ZipBuilder builder;
        builder.add({.name = "crc", .content = content, .deflate = true, .crc = 1});
        builder.add({.name = "stored-crc", .content = content, .crc = 1});
        builder.add({.name = "longer", .content = content, .deflate = true, .size = size - 1});
        builder.add({.name = "shorter", .content = content, .deflate = true, .size = size + 1});
        builder.add({.name = "no-deflate", .content = content, .method = 8});
        support::save(path(), builder.bytes());
        const ZipReader zip(path());
        for (const ZipMember& member : zip.members()) {
            EXPECT_EQ(thrown_error([&] { (void)zip.read(member); }).id(), "zip-damaged")
                << member.name;
            EXPECT_EQ(
                thrown_error([&] { zip.stream(member, [](std::string_view) {}); }).id(),
                "zip-damaged"
            ) << member.name;
        }
    }
}

TEST_F(HostileZip, BytesAfterTheDeflatedStream) {
    std::string bytes = ZipBuilder().add({.name = "a", .content = "x", .deflate = true}).bytes();
    // The same member again, its packed size one larger and a byte of junk within it.
    const auto packed = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[18]));
    ZipBuilder builder;
    builder.add(
        {.name = "a", .content = "x", .deflate = true, .packed_size = packed + 1, .junk_after = "j"}
    );
    support::save(path(), builder.bytes());
    const ZipReader zip(path());
    EXPECT_EQ(thrown_error([&] { (void)zip.read(zip.members()[0]); }).id(), "zip-damaged");
}

TEST(ZipDirectory, EveryFlippedByteIsRefusedOrHarmless) {
    const std::string whole = ZipBuilder()
                                  .add({.name = "a/b", .content = "some text", .deflate = true})
                                  .add({.name = "c", .content = "12", .descriptor = true})
                                  .zip64_end(2)
                                  .bytes();
    std::size_t accepted = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (unsigned mask = 1; mask < 256; ++mask) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ mask);
            try {
                for (const ZipMember& member : read_zip_directory(bytes, {})) {
                    ASSERT_LE(member.data_offset + member.compressed_size, bytes.size()) << at;
                }
                ++accepted;
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ExitCode::refused) << at;
            }
        }
    }
    EXPECT_GT(accepted, 0U);  // content, times, modes
    EXPECT_LT(accepted, whole.size() * 255 / 2);
}

}  // namespace
}  // namespace wheelforge
