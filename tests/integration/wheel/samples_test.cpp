// SPDX-License-Identifier: Apache-2.0
// Verdicts on what real compilers make: what they got right, and every way to lose a kernel.
#include "samples.hpp"

#include "support/thrown_error.hpp"

namespace wheelforge::wheel {

using Strings = std::vector<std::string>;

namespace {

Strings archs_with_kernels(const FileReport& file) {
    Strings archs;
    for (const DeviceCode& code : file.device.code) {
        if (!code.kernels.empty()) {
            archs.push_back(code.arch);
        }
    }
    return archs;
}

std::size_t kernels_for(const FileReport& file, const std::string& arch) {
    std::size_t count = 0;
    for (const DeviceCode& code : file.device.code) {
        count += code.arch == arch ? code.kernels.size() : 0;
    }
    return count;
}

}  // namespace

struct Verdict {
    const char* sample;
    const char* archs;
    Strings errors;
    bool has_warning_of_empty = false;
};

std::ostream& operator<<(std::ostream& out, const Verdict& verdict) {
    return out << verdict.sample << " for " << verdict.archs;
}

class SampleVerdict : public SampleTest, public testing::WithParamInterface<Verdict> {};

TEST_P(SampleVerdict, IsRight) {
    REQUIRE_SAMPLE(GetParam().sample);
    const VerifyResult result = judge(GetParam().sample, GetParam().archs);
    EXPECT_EQ(ids(result, Level::error), GetParam().errors) << render(result, VerifyFormat::text);
    const Strings warnings = ids(result, Level::warn);
    const bool empty =
        std::find(warnings.begin(), warnings.end(), "empty-kernel") != warnings.end();
    EXPECT_EQ(empty, GetParam().has_warning_of_empty) << render(result, VerifyFormat::text);
}

INSTANTIATE_TEST_SUITE_P(
    Hip,
    SampleVerdict,
    testing::Values(
        Verdict{"hip-good.so", "gfx942;gfx950", {}},
        Verdict{"hip-arch-missing.so", "gfx942;gfx950", {"arch-missing"}},
        Verdict{"hip-kernel-lost.so", "gfx942;gfx950", {}},
        Verdict{"hip-kernel-missing.so", "gfx942;gfx950", {"kernel-missing"}},
        Verdict{"hip-empty.so", "gfx942;gfx950", {}, true},
        Verdict{"hip-host-only.so", "gfx942", {"arch-missing"}},
        Verdict{"hip-compressed-v2.so", "gfx942;gfx950", {}},
        Verdict{"hip-compressed-v3.so", "gfx942;gfx950", {}},
        Verdict{"hip-stripped.so", "gfx942;gfx950", {}},
        Verdict{"hip-no-sections.so", "gfx942;gfx950", {}},
        Verdict{"hip-separable.so", "gfx942;gfx950", {}},
        Verdict{"hip-generic.so", "gfx942;gfx950;gfx1100;gfx1151", {}},
        Verdict{"hip-generic.so", "gfx90a", {"arch-missing"}},
        Verdict{"hip-features.so", "gfx90a:xnack+;gfx90a:xnack-", {}},
        Verdict{"hip-newest.so", "gfx1151;gfx1201;gfx1250", {}},
        Verdict{"hipcc-good.so", "gfx90a;gfx1030", {}},
        // Debian's hipcc links separable code with an executable stack.
        Verdict{"hipcc-separable.so", "gfx90a", {"execstack"}}
    )
);

INSTANTIATE_TEST_SUITE_P(
    Cuda,
    SampleVerdict,
    testing::Values(
        Verdict{"cuda-good.so", "sm_80;sm_90;compute_90", {}},
        Verdict{"cuda-arch-missing.so", "sm_80;sm_90", {"arch-missing"}},
        Verdict{"cuda-kernel-lost.so", "sm_80;sm_90", {}},
        Verdict{"cuda-empty.so", "sm_80;sm_90", {}, true},
        Verdict{"cuda-host-only.so", "sm_75", {"arch-missing"}},
        Verdict{"cuda-compressed-none.so", "sm_80;sm_90", {}},
        Verdict{"cuda-compressed-speed.so", "sm_80;sm_90", {}},
        Verdict{"cuda-compressed-balance.so", "sm_80;sm_90", {}},
        Verdict{"cuda-compressed-size.so", "sm_80;sm_90", {}},
        Verdict{"cuda-stripped.so", "sm_80;sm_90", {}},
        Verdict{"cuda-separable.so", "sm_80;sm_90", {}},
        Verdict{"cuda-chip-and-family.so", "sm_90a;sm_100f;sm_103", {}},
        Verdict{"cuda-chip-and-family.so", "sm_120", {"arch-missing"}}
    )
);

class Samples : public SampleTest {};

TEST_F(Samples, AKernelLostOnOneArchIsSeenAgainstTheLastBuild) {
    REQUIRE_SAMPLE("hip-good.so");
    request_.baseline = judge("hip-good.so", "gfx942;gfx950").lock;
    EXPECT_EQ(ids(judge("hip-good.so", "gfx942;gfx950"), Level::error), Strings{});
    EXPECT_EQ(ids(judge("hip-stripped.so", "gfx942;gfx950"), Level::error), Strings{});
    EXPECT_EQ(ids(judge("hip-compressed-v3.so", "gfx942;gfx950"), Level::error), Strings{});
    EXPECT_EQ(
        ids(judge("hip-kernel-lost.so", "gfx942;gfx950"), Level::error), Strings{"kernels-lost"}
    );
    EXPECT_EQ(ids(judge("hip-arch-missing.so", "gfx942"), Level::error), Strings{"arch-lost"});
    EXPECT_EQ(ids(judge("hip-empty.so", "gfx942;gfx950"), Level::error), Strings{"empty-kernel"});
}

TEST_F(Samples, ACudaKernelLostOnOneArchIsSeenAgainstTheLastBuild) {
    REQUIRE_SAMPLE("cuda-good.so");
    request_.baseline = judge("cuda-good.so", "sm_80").lock;
    const Strings errors = ids(judge("cuda-kernel-lost.so", "sm_80;sm_90"), Level::error);
    EXPECT_EQ(errors, (Strings{"arch-lost", "kernels-lost"})) << "the PTX is gone as well";
}

TEST_F(Samples, PtxAloneDependsOnTheDriver) {
    REQUIRE_SAMPLE("cuda-ptx-only.so");
    VariantFacts variant;
    variant.name = "cuda";
    variant.family = "cuda";
    variant.oldest_driver = "13.9";
    request_.variant = variant;
    EXPECT_EQ(ids(judge("cuda-ptx-only.so", "sm_90"), Level::error), Strings{});
    EXPECT_EQ(ids(judge("cuda-ptx-only.so", "sm_90"), Level::warn).front(), "jit-only");
    request_.variant->oldest_driver = "12.8";
    EXPECT_EQ(ids(judge("cuda-ptx-only.so", "sm_90"), Level::error), Strings{"ptx-too-new"});
}

TEST_F(Samples, EveryCompilerAgreesOnTheKernels) {
    for (const char* name :
         {"hip-good.so",
          "hip-stripped.so",
          "hip-no-sections.so",
          "hip-separable.so",
          "hip-compressed-v2.so",
          "hip-compressed-v3.so",
          "hip-bundle.co",
          "hip-alone.hsaco",
          "hip-good.fatbin",
          "hip-object.o"}) {
        REQUIRE_SAMPLE(name);
        const FileReport file = inspect(name);
        EXPECT_TRUE(file.device.errors.empty()) << name << ": " << file.device.errors[0];
        EXPECT_EQ(kernels_for(file, "gfx942"), 4U) << name;
    }
}

TEST_F(Samples, OfCudaHoldFourKernelsEach) {
    for (const char* name :
         {"cuda-good.so",
          "cuda-stripped.so",
          "cuda-separable.so",
          "cuda-good.fatbin",
          "cuda-compressed-none.so",
          "cuda-compressed-speed.so",
          "cuda-compressed-size.so"}) {
        REQUIRE_SAMPLE(name);
        const FileReport file = inspect(name);
        EXPECT_TRUE(file.device.errors.empty()) << name << ": " << file.device.errors[0];
        EXPECT_EQ(archs_with_kernels(file), (Strings{"compute_90", "sm_80", "sm_90"})) << name;
        EXPECT_EQ(kernels_for(file, "sm_90"), 4U) << name;
    }
}

TEST_F(Samples, OfTritonHoldOneKernelEach) {
    const std::pair<const char*, const char*> samples[] = {
        {"triton-gfx942.hsaco", "gfx942"},
        {"triton-gfx1100.hsaco", "gfx1100"},
        {"triton-sm80.cubin", "sm_80"},
        {"triton-sm80.ptx", "compute_80"},
        {"triton-sm90.cubin", "sm_90"},
    };
    for (const auto& [name, arch] : samples) {
        REQUIRE_SAMPLE(name);
        const FileReport file = inspect(name);
        EXPECT_TRUE(file.device.errors.empty()) << name;
        EXPECT_EQ(archs_with_kernels(file), Strings{arch});
        EXPECT_EQ(kernels_for(file, arch), 1U);
    }
}

}  // namespace wheelforge::wheel
