// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "index/hashes.hpp"

namespace wheelforge::index {
namespace {

const std::string abc_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const std::string abc_md5 = "900150983cd24fb0d6963f7d28e17f72";

std::string check(const Digests& digests, std::string_view bytes) {
    DigestCheck running(digests);
    running.update("thrown away");
    running.restart();
    running.update(bytes.substr(0, 1));
    running.update(bytes.substr(1));
    return running.finish();
}

TEST(Digests, AreStrongOnlyAgainstDeceit) {
    EXPECT_TRUE(has_strong_hash({{"md5", abc_md5}, {"sha256", abc_sha256}}));
    EXPECT_TRUE(is_strong("blake2b"));
    EXPECT_FALSE(has_strong_hash({{"md5", abc_md5}, {"sha1", ""}, {"sha224", ""}}));
    EXPECT_FALSE(has_strong_hash({{"future", abc_sha256}}));
    EXPECT_FALSE(has_strong_hash({}));
}

TEST(Digests, AreRefusedWhereTheyAreNone) {
    EXPECT_EQ(refuse_hashes({{"sha256", abc_sha256}, {"future", "?"}}), "");
    EXPECT_EQ(refuse_hashes({{"sha256", abc_md5}}), "its sha256 is no digest");
    EXPECT_EQ(
        refuse_hashes({{"md5", "../../../../../etc/passwd.........."}}), "its md5 is no digest"
    );
}

TEST(DigestCheck, ChecksEveryDigestItCanCompute) {
    EXPECT_EQ(check({{"sha256", abc_sha256}, {"md5", abc_md5}, {"future", "x"}}, "abc"), "");
    EXPECT_NE(check({{"sha256", abc_sha256}, {"md5", std::string(32, '0')}}, "abc"), "");
    EXPECT_EQ(
        check({{"sha256", std::string(64, '0')}}, "abc"),
        "sha256 is " + abc_sha256 + ", the index states " + std::string(64, '0')
    );
}

TEST(DigestCheck, KnowsEveryAlgorithmOfHashlibThatCounts) {
    for (const auto& [algorithm, length] : std::map<std::string, std::size_t>{
             {"md5", 32},
             {"sha1", 40},
             {"sha224", 56},
             {"sha256", 64},
             {"sha384", 96},
             {"sha512", 128},
             {"sha3_256", 64},
             {"sha3_384", 96},
             {"sha3_512", 128},
             {"blake2b", 128}
         }) {
        EXPECT_NE(check({{algorithm, std::string(length, '0')}}, "abc"), "") << algorithm;
    }
}

TEST(DigestCheck, TellsTheSha256InAnyCase) {
    DigestCheck running({});
    running.update("abc");
    EXPECT_EQ(running.finish(), "");
    EXPECT_EQ(running.sha256(), abc_sha256);
}

}  // namespace
}  // namespace wheelforge::index
