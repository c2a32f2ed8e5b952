// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/driver_versions.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelforge::wheel {

namespace {

struct CudaVersion {
    unsigned major = 0;
    unsigned minor = 0;
};

CudaVersion parse_version(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, '.');
    CudaVersion version;
    std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), version.major);
    if (parts.size() > 1) {
        std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), version.minor);
    }
    return version;
}

/// PTX ISA of a CUDA release (PTX ISA manual, release notes): 11.x is 7.x, 13.x is 9.x; 12.x is 8.x
/// up to 12.5 and one behind from 12.6 on, which repeated 8.5.
unsigned ptx_of_cuda(CudaVersion cuda) {
    if (cuda.major < 11) {
        return 0;
    }
    const unsigned ptx_major = cuda.major - 4;
    const bool repeated = cuda.major == 12 && cuda.minor >= 6;
    return ptx_major * 10 + cuda.minor - (repeated ? 1 : 0);
}

}  // namespace

DriverFloor driver_floor(const std::optional<VariantFacts>& variant, unsigned ptx) {
    if (variant && !variant->oldest_driver.empty()) {
        const std::string& driver = variant->oldest_driver;
        return {ptx_of_cuda(parse_version(driver)), "the oldest driver supported, CUDA " + driver};
    }
    if (ptx < 70) {
        return {};
    }
    const unsigned cuda_major = ptx / 10 + 4;
    return {
        ptx / 10 * 10, fmt::format("the oldest driver that starts CUDA {} programs", cuda_major)
    };
}

}  // namespace wheelforge::wheel
