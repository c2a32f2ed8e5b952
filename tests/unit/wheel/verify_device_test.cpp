// SPDX-License-Identifier: Apache-2.0
// Device code against what was asked for.
#include "verify_fixture.hpp"

#include "wheel/verify/plugin_expectations.hpp"

namespace wheelforge::wheel {

using namespace support;

namespace {
constexpr const char* module_path = "pkg/_C.cpython-311-x86_64-linux-gnu.so";
}

class VerifyDevice : public Verify {};

TEST_F(VerifyDevice, GoodCodeIsAccepted) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx90a", gfx90a}, {"gfx942", gfx942}}))
    );
    ask_for("gfx90a;gfx942");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, AnArchWithoutKernelsIsRefused) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx90a", gfx90a}})));
    ask_for("gfx90a;gfx942");
    run();
    EXPECT_EQ(found(), Strings{"error arch-missing"});
    EXPECT_NE(finding("arch-missing").evidence.find("gfx942"), std::string::npos);
    EXPECT_NE(finding("arch-missing").evidence.find("holds gfx90a"), std::string::npos);
}

TEST_F(VerifyDevice, AGenericProcessorServesItsMembers) {
    save(binary_wheel().file(
        "pkg/libk.so", hip_extension({{"gfx9-4-generic", gfx9_4_generic | 1U << 24U}})
    ));
    ask_for("gfx942;gfx950");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, FeaturesMustFit) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx90a:xnack-", gfx90a | xnack_off}}))
    );
    ask_for("gfx90a:xnack+");
    run();
    EXPECT_EQ(count("arch-missing", Level::error), 1U);
}

TEST_F(VerifyDevice, ADeclaredAliasServesAnArch) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx1100", gfx1100}})));
    ask_for("gfx1151");
    request.policy =
        parse_policy("packages: {pkg: {aliases: {gfx1151: [gfx1100]}}}", "policy.yaml");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, ALinkStubServesNothing) {
    CudaLibrary stub;
    stub.section = fatbin({{2, 75, cubin({75, {}})}});
    save(binary_wheel().file("pkg/libk.so", cuda_library(stub)));
    ask_for("sm_75");
    run();
    EXPECT_EQ(count("arch-missing", Level::error), 1U);
}

TEST_F(VerifyDevice, HostCodeAloneIsRefusedWhenAskedByName) {
    HostLibrary plain;
    save(binary_wheel().file(module_path, host_library(plain)));
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), Strings{"error arch-missing"});
}

TEST_F(VerifyDevice, OfManyWheelsOnlyThoseOfAnAcceleratorOweKernels) {
    HostLibrary plain;
    save(binary_wheel("plain").file("plain/_C.cpython-311-x86_64-linux-gnu.so", host_library(plain))
    );
    HostLibrary hip = plain;
    hip.needed = {"libamdhip64.so.7", "libc.so.6"};
    save(binary_wheel("hip").file("hip/_C.cpython-311-x86_64-linux-gnu.so", host_library(hip)));
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), Strings{"warn arch-missing"});
    EXPECT_EQ(result.wheels[1].name, "hip");
    EXPECT_EQ(result.wheels[1].findings.size(), 2U) << "and a note on lazy binding";
}

TEST_F(VerifyDevice, APluginSaysWhetherKernelsAreOwed) {
    const WheelBuilder wheel = WheelBuilder("flash_attn", "1.0");
    save(wheel);
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), Strings{}) << "a pure wheel owes nothing by itself";

    request.plugins["flash-attn"] = read_expectation(yaml::parse(
        "kernels: [{when: {TRITON: 'TRUE'}, expect: none}, {expect: required}]", "plugin.yaml"
    ));
    run();
    EXPECT_EQ(found(), Strings{"error arch-missing"});

    BuildFacts build;
    build.environment = {{"TRITON", "TRUE"}};
    request.builds[request.inputs[0].filename().string()] = build;
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, FilesAreHeldToTheirExpectation) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx942", gfx942}})));
    ask_for("gfx942");
    request.policy = parse_policy(
        "packages:\n  pkg:\n    files:\n      'pkg/lib*.so': {min_kernels: 3}\n"
        "      'pkg/other*': {archs: [gfx942]}\n",
        "policy.yaml"
    );
    run();
    EXPECT_EQ(found(), (Strings{"error file-expectation", "error file-expectation pkg/libk.so"}));
}

TEST_F(VerifyDevice, AHandleWithoutKernelIsRefused) {
    save(binary_wheel().file(
        "pkg/libk.so", hip_extension({{"gfx90a", gfx90a}, {"gfx942", gfx942}}, {{"_Z1aPf"}})
    ));
    run();
    EXPECT_EQ(found(), Strings{"error kernel-missing pkg/libk.so"});
    EXPECT_NE(finding("kernel-missing").evidence.find("_Z1bPf"), std::string::npos);
}

TEST_F(VerifyDevice, AKernelOnSomeArchsOnlyIsNoError) {
    HipLibrary library;
    library.section = hip_bundle_for(
        {{"gfx90a", code_object(gfx90a, {{"_Z1aPf"}})},
         {"gfx942", code_object(gfx942, {{"_Z1aPf"}, {"_Z1bPf"}})}}
    );
    library.handles = {"_Z1aPf", "_Z1bPf"};
    save(binary_wheel().file("pkg/libk.so", hip_library(library)));
    ask_for("gfx90a;gfx942");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, RegisteringWithoutAnyKernelIsRefused) {
    HipLibrary library;
    library.section = hip_bundle_for({});
    save(binary_wheel().file("pkg/libk.so", hip_library(library)));
    run();
    EXPECT_EQ(found(), Strings{"error kernel-missing pkg/libk.so"});
}

TEST_F(VerifyDevice, EmptyKernelsAreAWarning) {
    save(binary_wheel().file(
        "pkg/libk.so", hip_extension({{"gfx942", gfx942}}, {{"_Z1aPf"}, {"_Z1bPf", true}})
    ));
    run();
    EXPECT_EQ(found(), Strings{"warn empty-kernel pkg/libk.so"});
}

TEST_F(VerifyDevice, PtxAloneIsCompiledByTheDriver) {
    save(binary_wheel().file("pkg/libk.so", cuda_extension({cubin_entry(80), ptx_entry("8.0", 80)}))
    );
    ask_for("sm_80;sm_90");
    run();
    EXPECT_EQ(found(), Strings{"warn jit-only"});
}

TEST_F(VerifyDevice, PtxNewerThanTheDriverIsRefused) {
    save(binary_wheel().file("pkg/libk.so", cuda_extension({ptx_entry("9.5", 80)})));
    ask_for("sm_90");
    run();
    EXPECT_EQ(found(), (Strings{"error ptx-too-new", "warn jit-only"}));
    with_variant("cuda");
    request.variant->oldest_driver = "13.5";
    run();
    EXPECT_EQ(found(), Strings{"warn jit-only"});
}

TEST_F(VerifyDevice, PtxThatNobodyDependsOnMayBeNew) {
    save(binary_wheel().file("pkg/libk.so", cuda_extension({cubin_entry(80), ptx_entry("9.5", 80)}))
    );
    ask_for("8.0+PTX");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, WhatCannotBeReadIsRefused) {
    HipLibrary library;
    library.section = hip_bundle_for({{"gfx942", code_object(gfx90a, {{"_Z1aPf"}})}});
    save(binary_wheel().file("pkg/libk.so", hip_library(library)).file("pkg/x.hsaco", "?"));
    run();
    EXPECT_EQ(
        found(), (Strings{"error bad-code-object pkg/libk.so", "error bad-code-object pkg/x.hsaco"})
    );
}

TEST_F(VerifyDevice, APathMustNotLieAboutItsArch) {
    save(binary_wheel()
             .file("pkg/hsa/gfx942/a.co", code_object(gfx942, {{"k"}}))
             .file("pkg/hsa/gfx950/b.co", code_object(gfx942, {{"k"}}))
             .file("pkg/images/amd-gfx94x/c.hsaco", code_object(gfx942, {{"k"}})));
    run();
    EXPECT_EQ(found(), Strings{"error path-arch pkg/hsa/gfx950/b.co"});
}

TEST_F(VerifyDevice, AnIndexMustNotNameWhatIsNotThere) {
    save(binary_wheel()
             .file("pkg/hsa/gfx942/fmha.csv", "a,there.co\nb,gone.co\n")
             .file("pkg/hsa/gfx942/fmha/there.co", code_object(gfx942, {{"k"}}))
             .file("lib/TensileLibrary_X_gfx942.co", code_object(gfx942, {{"k"}})));
    run();
    EXPECT_EQ(
        found(),
        (Strings{
            "error kernel-index pkg/hsa/gfx942/fmha.csv",
            "warn kernel-index lib/TensileLibrary_X_gfx942.co"
        })
    );
}

TEST_F(VerifyDevice, ThePackagesOwnWordCounts) {
    save(binary_wheel()
             .file("pkg/libk.so", cuda_extension({cubin_entry(80)}))
             .file(
                 "pkg/cpp_lib.json",
                 R"({"version": {"cuda": 1208, "hip": null},
                     "env": {"TORCH_CUDA_ARCH_LIST": "8.0 9.0a"}})"
             ));
    run();
    EXPECT_EQ(found(), Strings{"error declared-build pkg/cpp_lib.json"}) << "9.0a has no kernel";
    with_variant("rocm");
    ask_for("gfx942");
    run();
    EXPECT_EQ(count("declared-build", Level::error), 2U);
    EXPECT_EQ(count("arch-missing", Level::error), 1U);
}

TEST_F(VerifyDevice, KernelsInAnArchiveOfTheWheelAreThere) {
    const std::string archive =
        kpack({{"pkg/libk.so#0", "gfx942", code_object(gfx942, {{"_Z1aPf"}, {"_Z1bPf"}})}}, true);
    HipLibrary library;
    library.section = std::string(4096, '\0');
    library.handles = {"_Z1aPf", "_Z1bPf"};
    library.kpack_reference = "pkg/libk.so#0";
    save(binary_wheel()
             .file("pkg/libk.so", hip_library(library))
             .file("pkg/.kpack/k_gfx942.kpack", archive));
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyDevice, AnArchiveThatIsNotThereIsMissed) {
    HipLibrary library;
    library.section = std::string(4096, '\0');
    library.handles = {"_Z1aPf"};
    library.kpack_reference = "pkg/libk.so#0";
    save(binary_wheel().file("pkg/libk.so", hip_library(library)));
    run();
    EXPECT_EQ(found(), Strings{"error kpack-missing pkg/libk.so"});
}

TEST_F(VerifyDevice, AFileForOneOfSeveralAcceleratorsMayNeedItsOwnLibraries) {
    HostLibrary cuda;
    cuda.module = "";
    cuda.needed = {"libcudart.so.12", "libc.so.6"};
    save(binary_wheel().file(
                           "pkg/libk_rocm.so", hip_extension({{"gfx942", gfx942}})
    ).file("pkg/libk_cuda.so", host_library(cuda)));
    with_variant("rocm");
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), Strings{});
    EXPECT_EQ(count("needed-unresolved", Level::info), 1U);
}

TEST_F(VerifyDevice, AWheelOfAnotherAcceleratorIsRefused) {
    save(binary_wheel().file("pkg/libk.so", cuda_extension({cubin_entry(80)})));
    with_variant("rocm");
    ask_for("gfx942");
    run();
    EXPECT_EQ(found(), (Strings{"error arch-missing", "error needed-unresolved pkg/libk.so"}));
}

TEST(PluginExpectations, OfPackagesWithKernelsHoldForTheirAccelerators) {
    const auto& known = plugin_expectations();
    EXPECT_EQ(known.at("xformers").kernels_in({}, "rocm"), Kernels::required);
    EXPECT_EQ(known.at("xformers").kernels_in({}, "cpu"), Kernels::automatic);
    EXPECT_EQ(known.at("xformers").kernels_in({}, ""), Kernels::automatic);
    EXPECT_EQ(
        known.at("vllm").kernels_in({{"VLLM_TARGET_DEVICE", "empty"}}, "rocm"), Kernels::none
    );
    EXPECT_EQ(known.at("amd-aiter").kernels_in({}, "rocm"), Kernels::jit);
    EXPECT_EQ(
        known.at("amd-aiter").kernels_in({{"PREBUILD_KERNELS", "1"}}, "rocm"), Kernels::required
    );
}

}  // namespace wheelforge::wheel
