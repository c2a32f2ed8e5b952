// SPDX-License-Identifier: Apache-2.0
#include "wheel/weights.hpp"

#include <algorithm>
#include <map>

namespace wheelforge::wheel {

namespace {

/// The section in which compilers put code of this format.
std::string section_of(const DeviceCode& code) {
    if (code.format == "hip-bundle" || code.format == "ccob") {
        return ".hip_fatbin";
    }
    if (code.format == "cubin" || code.format == "ptx" || code.format == "lto-ir") {
        return ".nv_fatbin";
    }
    if (code.format == "spirv" && code.arch.starts_with("spir64")) {
        return "__CLANG_OFFLOAD_BUNDLE__sycl-" + code.arch;
    }
    if (code.format == "intel-gpu" && !code.details.empty()) {
        return "__CLANG_OFFLOAD_BUNDLE__sycl-" + *code.details.begin();
    }
    return "";
}

}  // namespace

std::vector<Weight> weights_of(const FileReport& file) {
    std::map<std::string, std::uint64_t> left;
    if (file.elf) {
        left = file.elf->section_bytes;
    } else {
        left[""] = file.size;
    }
    std::vector<Weight> weights;
    for (const DeviceCode& code : file.device.code) {
        std::string section = file.elf ? section_of(code) : "";
        std::uint64_t& rest = left[section];
        rest -= std::min(rest, code.stored_bytes);
        weights.push_back({std::move(section), code.arch, code.stored_bytes});
    }
    for (const auto& [section, bytes] : left) {
        if (bytes > 0) {
            weights.push_back({section, "", bytes});
        }
    }
    std::stable_sort(weights.begin(), weights.end(), [](const Weight& a, const Weight& b) {
        return a.bytes > b.bytes;
    });
    return weights;
}

}  // namespace wheelforge::wheel
