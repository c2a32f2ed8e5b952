// SPDX-License-Identifier: Apache-2.0
// A folder of wheels to verify, and short ways to ask what was found.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "support/wheel_builder.hpp"
#include "support/working_directory.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::wheel {

/// A HIP extension for the archs given, with two kernels each.
[[nodiscard]] inline std::string hip_extension(
    const std::vector<std::pair<std::string, std::uint32_t>>& archs,
    const std::vector<support::TestKernel>& kernels = {{"_Z1aPf"}, {"_Z1bPf"}}
) {
    std::vector<std::pair<std::string, std::string>> objects;
    for (const auto& [name, flags] : archs) {
        objects.emplace_back(name, support::code_object(flags, kernels));
    }
    support::HipLibrary library;
    library.section = support::hip_bundle_for(objects);
    library.handles = {"_Z1aPf", "_Z1bPf"};
    return support::hip_library(library);
}

[[nodiscard]] inline std::string cuda_extension(const std::vector<support::FatbinEntry>& entries) {
    support::CudaLibrary library;
    library.section = support::fatbin(entries);
    library.kernels = {"_Z1aPf"};
    return support::cuda_library(library);
}

[[nodiscard]] inline support::FatbinEntry cubin_entry(unsigned sm) {
    return {2, sm, support::cubin({sm, {{"_Z1aPf"}}})};
}
[[nodiscard]] inline support::FatbinEntry ptx_entry(const std::string& version, unsigned sm) {
    return {1, sm, support::ptx(version, "sm_" + std::to_string(sm), {{"_Z1aPf"}})};
}

class Verify : public testing::Test {
protected:
    support::WheelBuilder binary_wheel(const std::string& name = "pkg") {
        return support::WheelBuilder(name, "1.0", "cp311-cp311-linux_x86_64");
    }
    void save(const support::WheelBuilder& wheel) {
        request.inputs.push_back(wheel.save(folder.path()));
    }
    void ask_for(const std::string& archs) { request.archs = *parse_arch_list(archs); }
    void with_variant(const std::string& family) {
        request.variant = VariantFacts();
        request.variant->name = family;
        request.variant->family = family;
    }
    void run() { result = verify(request); }

    /// "error arch-missing pkg/_C.so", one per finding of the first wheel.
    [[nodiscard]] std::vector<std::string> found(Level least = Level::warn) const {
        std::vector<std::string> list;
        for (const WheelVerdict& wheel : result.wheels) {
            for (const Finding& finding : wheel.findings) {
                if (finding.level >= least) {
                    list.push_back(
                        std::string(level_name(finding.level)) + " " + finding.id
                        + (finding.file.empty() ? "" : " " + finding.file)
                    );
                }
            }
        }
        std::sort(list.begin(), list.end());
        return list;
    }
    [[nodiscard]] const Finding& finding(std::string_view id) const {
        for (const WheelVerdict& wheel : result.wheels) {
            for (const Finding& one : wheel.findings) {
                if (one.id == id) {
                    return one;
                }
            }
        }
        throw std::runtime_error("no finding " + std::string(id));
    }
    [[nodiscard]] std::size_t count(std::string_view id, Level level) const {
        std::size_t total = 0;
        for (const WheelVerdict& wheel : result.wheels) {
            for (const Finding& one : wheel.findings) {
                total += one.id == id && one.level == level ? 1U : 0U;
            }
        }
        return total;
    }

    support::WorkingDirectory folder;
    VerifyRequest request;
    VerifyResult result;
};

using Strings = std::vector<std::string>;

}  // namespace wheelforge::wheel
