// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/accelerator_signs.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/externals.hpp"

namespace wheelforge::wheel {

namespace {

bool is_accelerator_library(const std::string& soname) {
    const ExternalGroup* group = external_group(soname);
    const bool of_torch = soname == "libtorch_cuda.so" || soname == "libtorch_hip.so"
                          || soname == "libc10_cuda.so" || soname == "libc10_hip.so";
    return of_torch || (group != nullptr && !group->family.empty());
}

std::string sign_of(const FileReport& file) {
    if (!file.device.code.empty() || !file.device.kpack_references.empty()) {
        return fmt::format("{} embeds device code", printable(file.path));
    }
    if (file.device.registers_kernels) {
        return fmt::format("{} registers device kernels", printable(file.path));
    }
    if (!file.elf) {
        return "";
    }
    for (const std::string& needed : file.elf->needed) {
        if (is_accelerator_library(needed)) {
            return fmt::format("{} needs {}", printable(file.path), printable(needed));
        }
    }
    for (const UndefinedSymbol& symbol : file.elf->undefined) {
        const ExternalGroup* group = external_group_of_symbol(symbol.name);
        if (group != nullptr && !group->family.empty()) {
            return fmt::format("{} calls {}", printable(file.path), printable(symbol.name));
        }
    }
    return "";
}

}  // namespace

std::string accelerator_sign(const Subject& subject) {
    for (const FileReport& file : subject.files) {
        if (std::string sign = sign_of(file); !sign.empty()) {
            return sign;
        }
    }
    return "";
}

std::string accelerator_of(const FileReport& file) {
    for (const DeviceCode& code : file.device.code) {
        switch (reported_arch(code.arch).kind) {
        case Arch::Kind::amdgpu:
            return "rocm";
        case Arch::Kind::cuda_real:
        case Arch::Kind::cuda_virtual:
            return "cuda";
        case Arch::Kind::other:
            break;
        }
    }
    for (const std::string& needed : file.elf ? file.elf->needed : std::vector<std::string>()) {
        const ExternalGroup* group = external_group(needed);
        if (group != nullptr && !group->family.empty()) {
            return group->family;
        }
    }
    return "";
}

bool has_alternatives(const Subject& subject) {
    std::string first;
    for (const FileReport& file : subject.files) {
        const std::string accelerator = accelerator_of(file);
        if (!first.empty() && !accelerator.empty() && accelerator != first) {
            return true;
        }
        first = first.empty() ? accelerator : first;
    }
    return false;
}

bool has_files_for(const Subject& subject, std::string_view accelerator) {
    for (const FileReport& file : subject.files) {
        if (accelerator_of(file) == accelerator) {
            return true;
        }
    }
    return false;
}

}  // namespace wheelforge::wheel
