// SPDX-License-Identifier: Apache-2.0
#include "device_reader.hpp"

#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "support/elf_builder.hpp"
#include "wheel/device/host_code.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using Names = std::vector<std::string>;

namespace {

HipLibrary hip_of(const std::vector<std::string>& handles) {
    HipLibrary library;
    library.section = hip_bundle_for({{"gfx942", code_object(gfx942, {{"_Z3addPf"}})}});
    library.handles = handles;
    return library;
}

CudaLibrary cuda_of(const std::vector<std::string>& kernels) {
    CudaLibrary library;
    library.section = fatbin({{2, 80, cubin({80, {{"_Z3addPf"}}})}});
    library.kernels = kernels;
    return library;
}

Names host_kernels(const FileReport& file) {
    return {file.device.host_kernels.begin(), file.device.host_kernels.end()};
}

}  // namespace

TEST(HostCode, HipLibrariesHoldContainersAndHandles) {
    const FileReport file = read_file_of("lib.so", hip_library(hip_of({"_Z3addPf", "_Z3mulPf"})));
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), Names{"gfx942"});
    EXPECT_EQ(host_kernels(file), (Names{"_Z3addPf", "_Z3mulPf"}));
    EXPECT_TRUE(file.device.registers_kernels);
}

TEST(HostCode, HandlesSurviveStripping) {
    HipLibrary library = hip_of({"_Z3addPf"});
    library.stripped = true;
    EXPECT_EQ(host_kernels(read_file_of("lib.so", hip_library(library))), Names{"_Z3addPf"});
}

TEST(HostCode, WithoutSectionHeadersContainersAreFoundByScan) {
    HipLibrary library = hip_of({"_Z3addPf"});
    library.section_headers = false;
    library.stripped = true;
    const FileReport file = read_file_of("lib.so", hip_library(library));
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), Names{"gfx942"});
    EXPECT_EQ(host_kernels(file), Names{"_Z3addPf"});
}

TEST(HostCode, AWrapperMustPointToAContainer) {
    HipLibrary library = hip_of({});
    library.wrapper_offset = 16;
    EXPECT_NE(
        errors_of(read_file_of("lib.so", hip_library(library))).find("no container"),
        std::string::npos
    );
}

TEST(HostCode, ASectionOfZerosIsAnErrorUnlessItsCodeWasMovedAway) {
    ElfBuilder elf;
    elf.section({".hip_fatbin", std::string(4096, '\0'), 1, 2, 4096});
    EXPECT_NE(errors_of(read_file_of("lib.so", elf.bytes())), "");
    elf.section(
        {".rocm_kpack_ref",
         mp_map(
             {{"kernel_name", mp_text("lib/x.so#0")},
              {"kpack_search_paths", mp_array({mp_text("../.kpack/x_gfx942.kpack")})}}
         ),
         1,
         2,
         8}
    );
    const FileReport file = read_file_of("lib.so", elf.bytes());
    EXPECT_EQ(errors_of(file), "");
    ASSERT_EQ(file.device.kpack_references.size(), 1U);
    EXPECT_EQ(file.device.kpack_references[0].kernel_name, "lib/x.so#0");
}

TEST(HostCode, CudaLibrariesHoldContainersAndStubs) {
    const FileReport file = read_file_of("lib.so", cuda_library(cuda_of({"_Z3addPf", "_Z3mulPf"})));
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(archs_of(file), Names{"sm_80"});
    EXPECT_EQ(host_kernels(file), (Names{"_Z3addPf", "_Z3mulPf"}));
}

TEST(HostCode, AnOrdinaryExtensionHoldsNoDeviceCode) {
    const FileReport file = read_file_of("_C.so", host_library({}));
    EXPECT_TRUE(file.device.code.empty());
    EXPECT_TRUE(file.device.errors.empty());
    EXPECT_TRUE(file.device.host_kernels.empty());
    ASSERT_TRUE(file.elf);
    EXPECT_TRUE(file.elf->exports("PyInit__C"));
}

TEST(HostCode, SurvivesEveryFlippedByte) {
    HipLibrary library = hip_of({"_Z3addPf"});
    library.section = ccob(library.section, 3, 1);
    const std::string good = hip_library(library);
    for (std::size_t at = 0; at < good.size(); at += 3) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0xff);
        EXPECT_NO_THROW(static_cast<void>(inspect_bytes("lib.so", ByteView(bad)))) << at;
    }
}
