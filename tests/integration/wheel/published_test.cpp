// SPDX-License-Identifier: Apache-2.0
// Wheels that others published: no false alarm. They are looked for by digest in the folder that
// WHEELFORGE_PUBLISHED_WHEELS names, and the tests are skipped where they are not.
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::wheel {

namespace {

const char* const xformers = "ccc73c7db9890224ab05f5fb60e2034f9e6c8672a10be0cf00e95cbbae3eda7c";
const char* const bitsandbytes = "55348a9a4a21bfd99cf8c7b32fe67b4030ae5c2a05738e03c1747f65fa6ec283";
const char* const vllm = "33d6d81299dedd45dde43fef261fbad2d513ed80e7cf7e64fb5880e8cf8ea105";

std::optional<fs::path> find_by_digest(const std::string& digest) {
    const char* folder = std::getenv("WHEELFORGE_PUBLISHED_WHEELS");
    if (folder == nullptr) {
        return std::nullopt;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".whl" && sha256_file(entry.path()) == digest) {
            return entry.path();
        }
    }
    return std::nullopt;
}

std::string errors_of(const VerifyResult& result) {
    std::string text;
    for (const WheelVerdict& wheel : result.wheels) {
        for (const Finding& finding : wheel.findings) {
            text += finding.level == Level::error
                        ? finding.id + " " + finding.file + ": " + finding.evidence + "\n"
                        : "";
        }
    }
    return text;
}

VerifyResult judge(const fs::path& wheel, const char* archs, const char* family) {
    VerifyRequest request;
    request.inputs = {wheel};
    request.archs = *parse_arch_list(archs);
    request.variant = VariantFacts();
    request.variant->name = family;
    request.variant->family = family;
    return verify(request);
}

std::size_t kernels(const InspectReport& report, std::string_view path, std::string_view arch) {
    for (const FileReport& file : report.files) {
        for (const DeviceCode& code : file.device.code) {
            if (file.path == path && code.arch == arch && code.format == "cubin") {
                return code.kernels.size();
            }
        }
    }
    return 0;
}

#define REQUIRE_WHEEL(variable, digest)                                                            \
    const auto variable = find_by_digest(digest);                                                  \
    if (!variable) {                                                                               \
        GTEST_SKIP() << "not among the wheels of WHEELFORGE_PUBLISHED_WHEELS";                     \
    }                                                                                              \
    static_assert(true, "wants a semicolon")

}  // namespace

TEST(PublishedWheels, XformersHoldsWhatItSays) {
    REQUIRE_WHEEL(wheel, xformers);
    EXPECT_EQ(errors_of(judge(*wheel, "7.5 8.0+PTX 8.0 9.0a", "cuda")), "");
    EXPECT_NE(errors_of(judge(*wheel, "gfx942", "rocm")).find("declared-build"), std::string::npos);
}

TEST(PublishedWheels, BitsandbytesServesSeveralAccelerators) {
    REQUIRE_WHEEL(wheel, bitsandbytes);
    EXPECT_EQ(errors_of(judge(*wheel, "sm_75;sm_80;sm_86;sm_89;sm_90;sm_100;sm_120", "cuda")), "");
    EXPECT_EQ(errors_of(judge(*wheel, "gfx90a;gfx942;gfx950;gfx1100;gfx1201", "rocm")), "");
    std::set<std::string> archs;
    for (const FileReport& file : inspect_path(*wheel).files) {
        EXPECT_TRUE(file.device.errors.empty()) << file.path;
        for (const DeviceCode& code : file.device.code) {
            const std::size_t expected = code.arch.starts_with("gfx")                     ? 175
                                         : code.format == "cubin" || code.format == "ptx" ? 202
                                                                                          : 0;
            EXPECT_TRUE(expected == 0 || code.kernels.size() == expected)
                << file.path << " " << code.arch << " " << code.kernels.size();
            archs.insert(code.arch);
        }
    }
    EXPECT_GT(archs.size(), 30U);
}

TEST(PublishedWheels, VllmIsForCudaAndNotForRocm) {
    REQUIRE_WHEEL(wheel, vllm);
    EXPECT_EQ(errors_of(judge(*wheel, "sm_70;sm_80;sm_90a;sm_100a;sm_120", "cuda")), "");
    const std::string refused = errors_of(judge(*wheel, "gfx942", "rocm"));
    EXPECT_NE(refused.find("arch-missing"), std::string::npos);
    EXPECT_NE(refused.find("nvidia-requirement"), std::string::npos);
}

TEST(PublishedWheels, VllmHoldsTheKernelsThatOthersCount) {
    REQUIRE_WHEEL(wheel, vllm);
    const InspectReport report = inspect_path(*wheel);
    EXPECT_FALSE(report.has_errors());
    EXPECT_EQ(kernels(report, "vllm/_moe_C.abi3.so", "sm_70"), 489U);
    EXPECT_EQ(kernels(report, "vllm/_moe_C.abi3.so", "sm_80"), 1212U);
    EXPECT_EQ(kernels(report, "vllm/_moe_C.abi3.so", "sm_90a"), 64U);
    EXPECT_EQ(kernels(report, "vllm/_C.abi3.so", "sm_70"), 2042U);
    EXPECT_EQ(kernels(report, "vllm/_C.abi3.so", "sm_80"), 3115U);
    EXPECT_EQ(kernels(report, "vllm/_C.abi3.so", "sm_52"), 0U) << "the link stub";
}

}  // namespace wheelforge::wheel
