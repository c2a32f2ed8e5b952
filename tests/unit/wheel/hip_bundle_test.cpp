// SPDX-License-Identifier: Apache-2.0
#include "device_reader.hpp"

#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "wheel/device/hip_bundle.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using Names = std::vector<std::string>;

namespace {

std::string two_archs() {
    return hip_bundle_for(
        {{"gfx90a", code_object(gfx90a, {{"a"}, {"b"}})},
         {"gfx942", code_object(gfx942, {{"a"}, {"b"}})}}
    );
}

std::string replaced(std::string bytes, std::size_t at, const std::string& with) {
    return bytes.replace(at, with.size(), with);
}

}  // namespace

TEST(HipBundle, HoldsOneObjectPerArch) {
    const FileReport file = read_file_of("k.co", two_archs());
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), (Names{"gfx90a", "gfx942"}));
    EXPECT_EQ(kernels_of(code_for(file, "gfx942")), (Names{"a", "b"}));
    EXPECT_EQ(code_for(file, "gfx942").format, "hip-bundle");
}

TEST(HipBundle, IsReadThroughEveryCompression) {
    for (const unsigned version : {1U, 2U, 3U}) {
        for (const unsigned method : {0U, 1U}) {
            const FileReport file = read_file_of("k.co", ccob(two_archs(), version, method));
            EXPECT_EQ(errors_of(file), "") << version << " " << method;
            EXPECT_EQ(archs_of(file), (Names{"gfx90a", "gfx942"}));
            EXPECT_EQ(code_for(file, "gfx90a").format, "ccob");
            EXPECT_EQ(code_for(file, "gfx90a").details.begin()->substr(0, 6), "CCOB v") << version;
        }
    }
}

TEST(HipBundle, ContainersStandOneAfterTheOther) {
    for (const unsigned version : {1U, 2U, 3U}) {
        const std::string first = ccob(two_archs(), version, 1);
        const std::string second =
            ccob(hip_bundle_for({{"gfx942", code_object(gfx942, {{"c"}})}}), version, 1);
        std::string both = first + std::string(4096 - first.size() % 4096, '\0') + second;
        both += std::string(100, '\0');
        const FileReport file = read_file_of("k.co", both);
        EXPECT_EQ(errors_of(file), "");
        EXPECT_EQ(kernels_of(code_for(file, "gfx942")), (Names{"a", "b", "c"}));
        EXPECT_EQ(code_for(file, "gfx942").objects, 2U);
    }
}

TEST(HipBundle, CountsAKernelOnceHoweverOftenItIsStored) {
    const std::string bundle = two_archs();
    const std::string both =
        bundle + std::string((4096 - bundle.size() % 4096) % 4096, '\0') + bundle;
    const FileReport file = read_file_of("k.co", both);
    EXPECT_EQ(code_for(file, "gfx942").kernels.size(), 2U);
    EXPECT_EQ(code_for(file, "gfx942").objects, 2U);
}

TEST(HipBundle, AnObjectForAnotherProcessorThanItsEntrySaysIsAnError) {
    const FileReport file =
        read_file_of("k.co", hip_bundle_for({{"gfx942", code_object(gfx90a, {{"a"}})}}));
    EXPECT_NE(errors_of(file).find("says gfx942, e_flags say gfx90a"), std::string::npos)
        << errors_of(file);
    EXPECT_EQ(archs_of(file), Names{"gfx90a"}) << "e_flags are what counts";
}

TEST(HipBundle, ATamperedBundleDoesNotMatchItsHash) {
    std::string packed = ccob(two_archs(), 3, 0);
    packed = replaced(std::move(packed), 24, "\x01\x02\x03");
    EXPECT_NE(errors_of(read_file_of("k.co", packed)).find("hash"), std::string::npos);
}

TEST(HipBundle, SaysWhatItCannotRead) {
    const std::string bundle = two_archs();
    const std::string huge(8, '\xff');
    const std::string cut = bundle.substr(0, bundle.size() - 100);
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(bundle, 24, huge))), "") << "2^64 entries";
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(bundle, 48, huge))), "") << "name length";
    EXPECT_NE(errors_of(read_file_of("k.co", cut)), "") << "cut off";
    EXPECT_NE(errors_of(read_file_of("k.co", bundle + "junk")), "") << "junk behind";
    const std::string packed = ccob(bundle, 3, 1);
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(packed, 16, huge))), "") << "bomb";
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(packed, 8, huge))), "") << "total";
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(packed, 4, "\x09"))), "") << "version";
    EXPECT_NE(errors_of(read_file_of("k.co", replaced(packed, 6, "\x09"))), "") << "method";
}

TEST(HipBundle, OneBrokenContainerDoesNotHideTheNext) {
    std::string first = ccob(two_archs(), 3, 1);
    first = replaced(std::move(first), 24, "\x01\x02");  // hash
    const std::string both = first + std::string(4096 - first.size() % 4096, '\0') + two_archs();
    const FileReport file = read_file_of("k.co", both);
    EXPECT_NE(errors_of(file), "");
    EXPECT_EQ(archs_of(file), (Names{"gfx90a", "gfx942"}));
}
