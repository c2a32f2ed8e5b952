// SPDX-License-Identifier: Apache-2.0
#include "device_reader.hpp"

#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "wheel/device/cuda_fatbin.hpp"
#include "wheel/device/ptx.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using Names = std::vector<std::string>;

namespace {

FatbinEntry real(unsigned sm, std::vector<TestKernel> kernels, std::string compression = "") {
    return {2, sm, cubin({sm, std::move(kernels)}), std::move(compression)};
}

}  // namespace

TEST(CudaFatbin, HoldsCubinsAndPtx) {
    const std::string bytes = fatbin(
        {real(80, {{"_Z3addPf"}, {"_Z3mulPf"}}),
         real(90, {{"_Z3addPf"}, {"_Z3mulPf", true}}),
         {1, 90, ptx("8.5", "sm_90", {{"_Z3addPf"}, {"_Z3mulPf", true}})}}
    );
    const FileReport file = read_file_of("k.fatbin", bytes);
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), (Names{"compute_90", "sm_80", "sm_90"}));
    EXPECT_EQ(kernels_of(code_for(file, "sm_80")), (Names{"_Z3addPf", "_Z3mulPf"}));
    EXPECT_TRUE(code_for(file, "sm_80").empty_kernels().empty());
    EXPECT_EQ(code_for(file, "sm_90").empty_kernels(), Names{"_Z3mulPf"});
    EXPECT_EQ(code_for(file, "compute_90").empty_kernels(), Names{"_Z3mulPf"});
    EXPECT_EQ(code_for(file, "compute_90").format, "ptx");
    EXPECT_EQ(newest_ptx(code_for(file, "compute_90")), 85U);
}

TEST(CudaFatbin, IsReadThroughEveryCompression) {
    for (const char* compression : {"", "lz4", "zstd"}) {
        const FileReport file = read_file_of("k.fatbin", fatbin({real(80, {{"k"}}, compression)}));
        EXPECT_EQ(errors_of(file), "") << compression;
        EXPECT_EQ(kernels_of(code_for(file, "sm_80")), Names{"k"});
    }
}

TEST(CudaFatbin, KnowsChipAndFamilyCode) {
    FatbinEntry chip = real(90, {{"k"}});
    chip.suffix = 'a';
    FatbinEntry family = real(100, {{"k"}});
    family.suffix = 'f';
    const FileReport file = read_file_of("k.fatbin", fatbin({chip, family}));
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), (Names{"sm_100f", "sm_90a"}));
}

TEST(CudaFatbin, ReadsBothAbisOfCubins) {
    const FatbinEntry old{2, 86, cubin({86, {{"k"}}, false})};
    EXPECT_EQ(archs_of(read_file_of("k.fatbin", fatbin({old}))), Names{"sm_86"});
    EXPECT_EQ(archs_of(read_file_of("k.cubin", cubin({86, {{"k"}}, false}))), Names{"sm_86"});
    EXPECT_EQ(archs_of(read_file_of("k.cubin", cubin({120, {{"k"}}}))), Names{"sm_120"});
}

TEST(CudaFatbin, ALinkStubHoldsNoKernel) {
    const FileReport file = read_file_of("k.fatbin", fatbin({real(75, {})}));
    EXPECT_EQ(code_for(file, "sm_75").objects, 1U);
    EXPECT_TRUE(code_for(file, "sm_75").kernels.empty());
}

TEST(CudaFatbin, ContainersStandOneAfterTheOther) {
    const std::string both =
        fatbin({real(80, {{"a"}})}) + std::string(8, '\0') + fatbin({real(80, {{"b"}})});
    const FileReport file = read_file_of("k.fatbin", both);
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(kernels_of(code_for(file, "sm_80")), (Names{"a", "b"}));
}

TEST(CudaFatbin, SaysWhatItCannotRead) {
    const std::string good = fatbin({real(80, {{"k"}}, "zstd")});
    const auto with = [&](std::size_t at, const std::string& bytes) {
        std::string copy = good;
        return errors_of(read_file_of("k.fatbin", copy.replace(at, bytes.size(), bytes)));
    };
    const std::string huge(8, '\xff');
    EXPECT_NE(with(8, huge), "") << "size of the container";
    EXPECT_NE(with(16 + 8, huge), "") << "size of the payload";
    EXPECT_NE(with(16 + 4, std::string(4, '\0')), "") << "header size";
    EXPECT_NE(with(16 + 56, huge), "") << "bomb";
    EXPECT_NE(with(16 + 0, "\x77"), "") << "kind";
    EXPECT_NE(with(16 + 28, "\x5a"), "") << "another sm than the cubin's";
    EXPECT_NE(errors_of(read_file_of("k.fatbin", good + "junk")), "");
}

TEST(CudaFatbin, ReadsLtoAsOpaque) {
    const FileReport file = read_file_of("k.fatbin", fatbin({{8, 90, "opaque"}}));
    EXPECT_EQ(archs_of(file), Names{"lto_90"});
    EXPECT_TRUE(code_for(file, "lto_90").kernels.empty());
}

TEST(Ptx, IsReadAsAFileOfItsOwn) {
    const FileReport file = read_file_of("k.ptx", ptx("9.5", "sm_90a", {{"add"}}));
    EXPECT_EQ(archs_of(file), Names{"compute_90a"});
    EXPECT_EQ(kernels_of(code_for(file, "compute_90a")), Names{"add"});
    EXPECT_NE(errors_of(read_file_of("k.ptx", "hello")), "");
}

TEST(Ptx, CommentsAndStringsAreNoDirectives) {
    const std::string text =
        "// .entry no1(\n.version 8.0\n.target sm_80 // .entry no2\n/* .entry no3( */\n"
        ".entry yes(.param .u64 p)\n{ .loc 1 1 1\n ret; }\n";
    const FileReport file = read_file_of("k.ptx", text);
    EXPECT_TRUE(code_for(file, "compute_80").kernels.contains("yes"));
}
