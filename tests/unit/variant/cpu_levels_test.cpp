// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "variant/cpu_levels.hpp"

namespace wheelforge::variant {
namespace {

TEST(CpuLevels, OptionsUpToTheTargetAreFine) {
    EXPECT_EQ(option_beyond("-O3 -march=x86-64-v2 -msse4.2", "x86-64-v2"), std::nullopt);
    EXPECT_EQ(option_beyond("-march=nehalem", "haswell"), std::nullopt);
    EXPECT_EQ(option_beyond("-march=armv8-a+crc", "neoverse-n1"), std::nullopt);
    EXPECT_EQ(option_beyond("", "x86-64"), std::nullopt);
}

TEST(CpuLevels, OptionsBeyondTheTargetAreNamed) {
    EXPECT_EQ(
        option_beyond("-O2 -march=x86-64-v3", "x86-64-v2"), "-march=x86-64-v3: for x86-64-v3"
    );
    EXPECT_EQ(option_beyond("-mavx512vl", "x86-64-v3"), "-mavx512vl: for x86-64-v4");
    EXPECT_EQ(
        option_beyond("-C target-cpu=znver4", "x86-64-v3"), "target-cpu=znver4: for x86-64-v4"
    );
    EXPECT_EQ(option_beyond("'-mavx2'", "core2"), "-mavx2: for x86-64-v3");
    EXPECT_EQ(option_beyond("-mcpu=power10", "power8"), "-mcpu=power10: for power10");
}

TEST(CpuLevels, AnotherMachineIsNoSmallerOne) {
    EXPECT_TRUE(option_beyond("-march=armv8-a", "x86-64-v4"));
}

TEST(CpuLevels, TuningChangesNoInstruction) {
    EXPECT_EQ(option_beyond("-mtune=native -mtune=znver4", "x86-64"), std::nullopt);
}

TEST(CpuLevels, NativeIsBeyondEveryTarget) {
    EXPECT_TRUE(option_beyond("-march=native", "x86-64-v4"));
    EXPECT_TRUE(option_beyond("-Ctarget-cpu=native", "x86-64-v4"));
}

TEST(CpuLevels, WhatIsNotKnownIsLetThrough) {
    EXPECT_EQ(option_beyond("-march=loongarch64 -mstrange", "x86-64-v2"), std::nullopt);
}

TEST(CpuLevels, AreKnownByLevelAndByCpu) {
    const auto known = known_cpus();
    for (const auto* name : {"x86-64", "x86-64-v3", "haswell", "armv8-a", "ppc64le"}) {
        EXPECT_TRUE(std::binary_search(known.begin(), known.end(), name)) << name;
    }
}

}  // namespace
}  // namespace wheelforge::variant
