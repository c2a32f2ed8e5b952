// SPDX-License-Identifier: Apache-2.0
// Archives and indexes of kernels: AOTriton, kpack, Tensile, AITER.
#include "device_reader.hpp"

#include <gtest/gtest.h>

#include "support/device_builder.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using Names = std::vector<std::string>;

TEST(Aotriton, HoldsCodeObjectsAndSlotsOfFailedKernels) {
    const std::string bytes = aks2(
        {{"fwd_a", code_object(gfx942, {{"attn_fwd"}})},
         {"fwd_b", ""},
         {"fwd_c", code_object(gfx942, {{"attn_bwd"}})}}
    );
    const FileReport file = read_file_of("aotriton.images/amd-gfx942/flash.aks2", bytes);
    EXPECT_EQ(errors_of(file), "");
    EXPECT_EQ(kernels_of(code_for(file, "gfx942")), (Names{"attn_bwd", "attn_fwd"}));
    EXPECT_EQ(code_for(file, "gfx942").objects, 2U);
    EXPECT_EQ(file.device.failed_kernels, Names{"fwd_b"});
}

TEST(Aotriton, SaysWhatItCannotRead) {
    std::string bytes = aks2({{"a", code_object(gfx942, {{"k"}})}});
    EXPECT_NE(errors_of(read_file_of("a.aks2", bytes.substr(0, bytes.size() - 20))), "");
    bytes[8] = '\x7f';  // number of kernels
    EXPECT_NE(errors_of(read_file_of("a.aks2", bytes)), "");
    EXPECT_NE(errors_of(read_file_of("a.aks2", "AKS2")), "");
}

TEST(Kpack, HoldsObjectsOfManyBinaries) {
    for (const bool zstd : {false, true}) {
        const std::string bytes = kpack(
            {{"lib/libx.so#0", "gfx942", code_object(gfx942, {{"a"}})},
             {"lib/libx.so#0", "gfx90a", code_object(gfx90a, {{"a"}})},
             {"lib/liby.so#0", "gfx942", code_object(gfx942, {{"b"}})}},
            zstd
        );
        const FileReport file = read_file_of("rand.kpack", bytes);
        EXPECT_EQ(errors_of(file), "") << zstd;
        EXPECT_EQ(archs_of(file), (Names{"gfx90a", "gfx942"}));
        EXPECT_EQ(kernels_of(code_for(file, "gfx942")), (Names{"a", "b"}));
        EXPECT_TRUE(file.device.kpack_names.contains("lib/liby.so#0"));
    }
}

TEST(Kpack, AnObjectForAnotherArchThanItsEntryIsAnError) {
    const FileReport file = read_file_of(
        "rand.kpack", kpack({{"lib/x.so#0", "gfx950", code_object(gfx942, {{"a"}})}}, true)
    );
    EXPECT_NE(errors_of(file).find("gfx950"), std::string::npos);
}

TEST(Kpack, SaysWhatItCannotRead) {
    const std::string good = kpack({{"x", "gfx942", code_object(gfx942, {{"a"}})}}, true);
    EXPECT_NE(errors_of(read_file_of("a.kpack", good.substr(0, good.size() - 5))), "");
    std::string other = good;
    other[4] = 2;
    EXPECT_NE(errors_of(read_file_of("a.kpack", other)), "") << "version";
    other = good;
    other.replace(8, 8, std::string(8, '\xff'));
    EXPECT_NE(errors_of(read_file_of("a.kpack", other)), "") << "table of contents outside";
}

TEST(TensileLibrary, NamesItsCodeAndOtherLibraries) {
    const std::string lazy = mp_map(
        {{"library",
          mp_map(
              {{"type", mp_text("Problem")},
               {"rows",
                mp_array({mp_map(
                    {{"type", mp_text("Placeholder")},
                     {"value", mp_text("TensileLibrary_Type_HH_gfx942")}}
                )})}}
          )},
         {"solutions", mp_array({})}}
    );
    const FileReport file = read_file_of("library/TensileLibrary_lazy_gfx942.dat", lazy);
    EXPECT_EQ(file.device.index_files, Names{"TensileLibrary_Type_HH_gfx942.dat"});
    const std::string direct =
        mp_map({{"solutions", mp_array({mp_map({{"name", mp_text("k")}})})}});
    EXPECT_EQ(
        read_file_of("library/TensileLibrary_Type_HH_gfx942.dat", direct).device.index_files,
        Names{"TensileLibrary_Type_HH_gfx942"}
    );
}

TEST(AiterTable, NamesItsKernelFiles) {
    const FileReport file = read_file_of(
        "aiter_meta/hsa/gfx942/fmha/fwd.csv", "name,co_name\nfwd,fwd_hd128.co\nbwd,\"bwd.co\"\n"
    );
    EXPECT_EQ(file.device.index_files, (Names{"fwd_hd128.co", "bwd.co"}));
}
