// SPDX-License-Identifier: Apache-2.0
#include "device_reader.hpp"

#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "wheel/device/code_object.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using Names = std::vector<std::string>;

TEST(CodeObject, IsReadByItsFlagsAndDescriptors) {
    const FileReport file = read_file_of("a.hsaco", code_object(gfx942, {{"add"}, {"mul"}}));
    EXPECT_EQ(errors_of(file), "");
    const DeviceCode& code = code_for(file, "gfx942");
    EXPECT_EQ(code.format, "code-object");
    EXPECT_EQ(code.objects, 1U);
    EXPECT_EQ(kernels_of(code), (Names{"add", "mul"}));
    EXPECT_TRUE(code.empty_kernels().empty());
    EXPECT_TRUE(code.details.contains("code object v6"));
}

TEST(CodeObject, KnowsFeaturesOfEveryVersion) {
    EXPECT_EQ(
        archs_of(read_file_of("a.co", code_object(gfx90a | xnack_on, {{"k"}}, 2))),
        Names{"gfx90a:xnack+"}
    );
    EXPECT_EQ(
        archs_of(read_file_of("a.co", code_object(gfx90a | 0xa00, {{"k"}}, 3))),
        Names{"gfx90a:sramecc-:xnack-"}
    );
    // xnack "any" and "unsupported" run everywhere
    EXPECT_EQ(
        archs_of(read_file_of("a.co", code_object(gfx90a | 0x100, {{"k"}}, 4))), Names{"gfx90a"}
    );
    // before version 4 a single bit each
    EXPECT_EQ(
        archs_of(read_file_of("a.co", code_object(gfx90a | 0x300, {{"k"}}, 1))),
        Names{"gfx90a:sramecc+:xnack+"}
    );
    EXPECT_EQ(
        archs_of(read_file_of("a.co", code_object(gfx9_4_generic | 1U << 24U, {{"k"}}))),
        Names{"gfx9-4-generic"}
    );
    EXPECT_EQ(archs_of(read_file_of("a.co", code_object(0xf0, {{"k"}}))), Names{"mach_0xf0"});
}

TEST(CodeObject, SeesKernelsThatDoNothing) {
    for (const std::uint32_t processor : {gfx90a, gfx1100}) {
        const FileReport file =
            read_file_of("a.co", code_object(processor, {{"works"}, {"nothing", true}}));
        EXPECT_EQ(file.device.code.at(0).empty_kernels(), Names{"nothing"});
    }
}

TEST(CodeObject, ComparesItsMetadata) {
    EXPECT_EQ(
        errors_of(read_file_of("a.co", code_object(gfx942, {{"k"}}, 4, "amdgcn-amd-amdhsa--gfx942"))
        ),
        ""
    );
    EXPECT_NE(
        errors_of(read_file_of("a.co", code_object(gfx942, {{"k"}}, 4, "amdgcn-amd-amdhsa--gfx90a"))
        ),
        ""
    );
}

TEST(CodeObject, IsAnErrorForAnotherMachineUnderSuchAName) {
    EXPECT_NE(errors_of(read_file_of("a.co", "nothing like it")), "");
    EXPECT_NE(errors_of(read_file_of("a.hsaco", "")), "");
}

TEST(TargetOfTriple, KnowsEverySpelling) {
    EXPECT_EQ(target_of_triple("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"), "gfx90a:xnack+");
    EXPECT_EQ(
        target_of_triple("hip-amdgcn-amd-amdhsa--gfx9-4-generic:xnack-"), "gfx9-4-generic:xnack-"
    );
    EXPECT_EQ(target_of_triple("amdgpu9.42-amd-amdhsa-unknown-gfx942"), "gfx942");
    EXPECT_EQ(target_of_triple("amdgcn-amd-amdhsa-unknown-gfx942"), "gfx942");
    EXPECT_EQ(target_of_triple("host-x86_64-unknown-linux-gnu-"), "");
}
