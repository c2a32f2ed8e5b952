// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

constexpr std::string_view sha256_of_abc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string digest(std::string_view algorithm, std::string_view bytes) {
    Hasher hasher(algorithm);
    hasher.update(bytes);
    return hasher.finish();
}

TEST(Hash, KnowsTheDigestsOfTheStandards) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), sha256_of_abc);
    EXPECT_EQ(digest("sha1", "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(digest("md5", "abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(
        digest("sha3_256", "abc"),
        "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"
    );
    EXPECT_EQ(
        digest("blake2b", "abc"),
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    );
    for (const auto* name : {"sha224", "sha384", "sha512", "sha3_512", "blake2s"}) {
        EXPECT_FALSE(digest(name, "").empty()) << name;
    }
}

TEST(Hash, DoesNotCareAboutPieces) {
    Hasher hasher;
    hasher.update("a");
    hasher.update("");
    hasher.update("bc");
    EXPECT_EQ(hasher.finish(), sha256_of_abc);
}

TEST(Hash, RefusesUnknownAlgorithmsAndASecondFinish) {
    EXPECT_THROW(Hasher("crc32"), std::invalid_argument);
    EXPECT_THROW(Hasher(""), std::invalid_argument);
    EXPECT_THROW(Hasher("shake_128"), std::invalid_argument);
    Hasher hasher;
    (void)hasher.finish();
    EXPECT_THROW((void)hasher.finish(), std::logic_error);
}

TEST(Hash, ReadsFilesInPieces) {
    const TempDir folder(fs::temp_directory_path());
    const std::string content(1'000'003, 'x');
    write_file(folder.path() / "f", content);
    EXPECT_EQ(sha256_file(folder.path() / "f"), sha256(content));
    write_file(folder.path() / "empty", "");
    EXPECT_EQ(sha256_file(folder.path() / "empty"), sha256(""));
}

TEST(Hash, NamesTheFileThatCannotBeRead) {
    const TempDir folder(fs::temp_directory_path());
    for (const auto& path : {folder.path() / "missing", folder.path()}) {
        const auto error = support::thrown_error([&] { (void)sha256_file(path); });
        EXPECT_EQ(error.id(), "cannot-read");
        EXPECT_NE(error.message().find(path.string()), std::string::npos) << error.message();
    }
}

TEST(Hash, WritesRecordDigestsWithoutPadding) {
    Hasher hasher;
    hasher.update("abc");
    const std::string text = hasher.finish_base64url();
    EXPECT_EQ(text, "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    EXPECT_EQ(hex_to_base64url(sha256_of_abc), text);
    EXPECT_EQ(hex_to_base64url(""), "");
    EXPECT_THROW((void)hex_to_base64url("abc"), std::invalid_argument);
    EXPECT_THROW((void)hex_to_base64url("zz"), std::invalid_argument);
}

TEST(Hash, EncodesBase64AsTheStandardSays) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xff\xfe"), "//4=");
    const std::string large(7'000'000, 'a');
    const std::string encoded = base64(large);
    EXPECT_EQ(encoded.size(), (large.size() + 2) / 3 * 4);
    EXPECT_EQ(encoded.find('='), encoded.size() - 2);
}

TEST(Hash, Uuid5MatchesTheStandardsExample) {
    EXPECT_EQ(
        uuid5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "python.org"),
        "886313e1-3b8a-5372-9b90-0c9aee199e5d"
    );
}

TEST(Hash, Uuid5TakesAnyTextAsNameSpace) {
    const std::string one = uuid5("wheelforge", "click 8.1.7");
    EXPECT_EQ(one, uuid5("wheelforge", "click 8.1.7"));
    EXPECT_NE(one, uuid5("wheelforge", "click 8.1.8"));
    EXPECT_NE(one, uuid5("other", "click 8.1.7"));
    EXPECT_EQ(one.size(), 36U);
    EXPECT_EQ(one[14], '5');
}

}  // namespace
}  // namespace wheelforge
