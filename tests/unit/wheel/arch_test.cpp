// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wheel/device/arch.hpp"

using wheelforge::wheel::Arch;
using wheelforge::wheel::Coverage;
using wheelforge::wheel::covers;
using wheelforge::wheel::parse_arch;
using wheelforge::wheel::parse_arch_list;

namespace {

Arch arch(const char* text) {
    return *parse_arch(text);
}

std::vector<std::string> list(const char* text) {
    std::vector<std::string> names;
    const auto archs = parse_arch_list(text);
    for (const Arch& one : *archs) {
        names.push_back(one.text());
    }
    return names;
}

}  // namespace

TEST(Arch, ReadsWhatPeopleWrite) {
    EXPECT_EQ(arch("gfx942").text(), "gfx942");
    EXPECT_EQ(arch("gfx90a:xnack+").text(), "gfx90a:xnack+");
    EXPECT_EQ(arch("gfx90a:xnack+:sramecc-").text(), "gfx90a:sramecc-:xnack+");
    EXPECT_EQ(arch("gfx9-4-generic").text(), "gfx9-4-generic");
    EXPECT_EQ(arch("sm_90a").text(), "sm_90a");
    EXPECT_EQ(arch("9.0a").text(), "sm_90a");
    EXPECT_EQ(arch("120").text(), "sm_120");
    EXPECT_EQ(arch("12.0").text(), "sm_120");
    EXPECT_EQ(arch("100f").text(), "sm_100f");
    EXPECT_EQ(arch("compute_80").text(), "compute_80");
}

TEST(Arch, RefusesWhatIsNone) {
    for (const char* text :
         {"",
          "gfx",
          "gfx90a:fast+",
          "gfx90a:xnack",
          "sm_",
          "sm_9x",
          "banana",
          "sm_90b",
          "9",
          "gfx942,gfx950"}) {
        EXPECT_FALSE(parse_arch(text)) << text;
    }
}

TEST(Arch, ReadsListsWithAnySeparator) {
    EXPECT_EQ(
        list("7.5 8.0+PTX 9.0a"),
        (std::vector<std::string>{"sm_75", "sm_80", "compute_80", "sm_90a"})
    );
    EXPECT_EQ(list("gfx90a;gfx942"), (std::vector<std::string>{"gfx90a", "gfx942"}));
    EXPECT_EQ(list("gfx90a,gfx942"), (std::vector<std::string>{"gfx90a", "gfx942"}));
    EXPECT_TRUE(list("").empty());
    EXPECT_EQ(parse_arch_list("8.0 what").error().offset, 4U);
}

TEST(Coverage, OfAmdProcessorsIsExactOrGeneric) {
    EXPECT_EQ(covers(arch("gfx942"), arch("gfx942")), Coverage::native);
    EXPECT_EQ(covers(arch("gfx942"), arch("gfx950")), Coverage::none);
    EXPECT_EQ(covers(arch("gfx9-4-generic"), arch("gfx950")), Coverage::native);
    EXPECT_EQ(covers(arch("gfx9-4-generic"), arch("gfx90a")), Coverage::none);
    EXPECT_EQ(covers(arch("gfx11-generic"), arch("gfx1151")), Coverage::native);
    EXPECT_EQ(covers(arch("gfx942"), arch("gfx9-4-generic")), Coverage::none);
}

TEST(Coverage, OfFeaturesIsAnyOrEqual) {
    EXPECT_EQ(covers(arch("gfx90a"), arch("gfx90a:xnack+")), Coverage::native);
    EXPECT_EQ(covers(arch("gfx90a:xnack+"), arch("gfx90a:xnack+")), Coverage::native);
    EXPECT_EQ(covers(arch("gfx90a:xnack-"), arch("gfx90a:xnack+")), Coverage::none);
    EXPECT_EQ(covers(arch("gfx90a:xnack-"), arch("gfx90a")), Coverage::native);
}

TEST(Coverage, OfCubinsRunsForwardWithinAMajor) {
    EXPECT_EQ(covers(arch("sm_80"), arch("sm_86")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_86"), arch("sm_80")), Coverage::none);
    EXPECT_EQ(covers(arch("sm_80"), arch("sm_90")), Coverage::none);
    EXPECT_EQ(covers(arch("sm_100"), arch("sm_103")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_100"), arch("sm_110")), Coverage::none);
}

TEST(Coverage, OfChipAndFamilyCodeIsNarrow) {
    EXPECT_EQ(covers(arch("sm_90a"), arch("sm_90a")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_90a"), arch("sm_90")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_90"), arch("sm_90a")), Coverage::none);
    EXPECT_EQ(covers(arch("sm_100a"), arch("sm_103")), Coverage::none);
    EXPECT_EQ(covers(arch("sm_100f"), arch("sm_103")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_100f"), arch("sm_120")), Coverage::none);
    EXPECT_EQ(covers(arch("sm_100"), arch("sm_100f")), Coverage::none);
}

TEST(Coverage, OfPtxIsCompiledByTheDriver) {
    EXPECT_EQ(covers(arch("compute_80"), arch("sm_90")), Coverage::jit);
    EXPECT_EQ(covers(arch("compute_80"), arch("sm_120")), Coverage::jit);
    EXPECT_EQ(covers(arch("compute_90"), arch("sm_80")), Coverage::none);
    EXPECT_EQ(covers(arch("compute_90a"), arch("sm_100")), Coverage::none);
    EXPECT_EQ(covers(arch("compute_90a"), arch("sm_90a")), Coverage::jit);
    EXPECT_EQ(covers(arch("compute_80"), arch("compute_80")), Coverage::native);
    EXPECT_EQ(covers(arch("sm_80"), arch("compute_80")), Coverage::none);
}

TEST(Coverage, NeverCrossesVendors) {
    EXPECT_EQ(covers(arch("sm_90"), arch("gfx942")), Coverage::none);
    EXPECT_EQ(covers(arch("gfx942"), arch("sm_90")), Coverage::none);
}

TEST(AmdgpuProcessor, IsNamedByMachineNumber) {
    EXPECT_EQ(wheelforge::wheel::amdgpu_processor(0x4c), "gfx942");
    EXPECT_EQ(wheelforge::wheel::amdgpu_processor(0x5f), "gfx9-4-generic");
    EXPECT_EQ(wheelforge::wheel::amdgpu_processor(0xfe), "mach_0xfe");
}
