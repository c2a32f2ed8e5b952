// SPDX-License-Identifier: Apache-2.0
// Kernel files: what their names promise against what they hold, and indexes against files.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/check.hpp"

namespace wheelforge::wheel {

namespace {

/// Processors that a path names: "gfx942", also families as "gfx11xx", lower case.
std::vector<std::string> processors_in(std::string_view path) {
    std::vector<std::string> found;
    for (std::size_t at = path.find("gfx"); at != std::string_view::npos;
         at = path.find("gfx", at + 3)) {
        const std::size_t end =
            std::min(path.find_first_not_of("0123456789abcdefx", at + 3), path.size());
        if (end - at >= 6) {
            found.emplace_back(path.substr(at, end - at));
        }
    }
    return found;
}

/// 'x' stands for any character.
bool matches(std::string_view pattern, std::string_view processor) {
    return pattern.size() == processor.size()
           && std::equal(pattern.begin(), pattern.end(), processor.begin(), [](char p, char c) {
                  return p == 'x' || p == c;
              });
}

bool is_named(const std::vector<std::string>& names, const std::string& processor) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return matches(name, processor);
    });
}

void check_path_arch(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        const std::vector<std::string> names = processors_in(file.path);
        if (file.elf || names.empty()) {
            continue;
        }
        for (const DeviceCode& code : file.device.code) {
            const Arch arch = reported_arch(code.arch);
            if (arch.kind == Arch::Kind::amdgpu && !is_named(names, arch.name)
                && !is_amdgpu_generic(arch.name)) {
                out.add(
                    "path-arch",
                    file.path,
                    fmt::format("its path names {}, its code is for {}", names.back(), code.arch),
                    "the loader picks the file by its path and fails, or runs the wrong code"
                );
            }
        }
    }
}

std::string folder_of(std::string_view path) {
    return std::string(path.substr(0, path.rfind('/') + 1));
}

/// A solution library NAME.dat wants code in NAME*.co or NAME*.hsaco beside it.
bool has_code_beside(const Subject& subject, const std::string& stem_path) {
    const auto first = subject.members.lower_bound(stem_path);
    for (auto it = first; it != subject.members.end() && it->starts_with(stem_path); ++it) {
        if (it->ends_with(".co") || it->ends_with(".hsaco")) {
            return true;
        }
    }
    return false;
}

bool is_there(const Subject& subject, const std::string& folder, const std::string& wanted) {
    const bool is_file =
        wanted.ends_with(".co") || wanted.ends_with(".hsaco") || wanted.ends_with(".dat");
    if (!is_file) {
        return has_code_beside(subject, folder + wanted);
    }
    if (subject.members.contains(folder + wanted)
        || subject.members.contains(folder + wanted + ".zlib")) {
        return true;
    }
    // AITER's tables stand above the folders of their kernels.
    return std::any_of(
        subject.members.begin(),
        subject.members.end(),
        [&](const std::string& name) {
            return name.starts_with(folder) && name.ends_with("/" + wanted);
        }
    );
}

void check_kernel_indexes(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        std::vector<std::string> missing;
        for (const std::string& wanted : file.device.index_files) {
            if (!is_there(context.subject, folder_of(file.path), wanted)) {
                missing.push_back(wanted);
            }
        }
        if (!missing.empty()) {
            out.add(
                "kernel-index",
                file.path,
                fmt::format(
                    "names {} files that the wheel does not hold: {}",
                    missing.size(),
                    some_of(missing)
                )
            );
        }
    }
}

bool is_tensile_code(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.starts_with("Tensile") && (name.ends_with(".co") || name.ends_with(".hsaco"));
}

bool has_library_beside(const Subject& subject, std::string_view code) {
    const std::string folder = folder_of(code);
    const std::string_view stem = code.substr(0, code.rfind('.'));
    for (auto it = subject.members.lower_bound(folder);
         it != subject.members.end() && it->starts_with(folder);
         ++it) {
        const std::size_t dat = it->rfind(".dat");
        if (dat != std::string::npos && stem.starts_with(it->substr(0, dat))) {
            return true;
        }
    }
    return false;
}

void check_orphaned_code(const CheckContext& context, FindingSink& out) {
    for (const std::string& member : context.subject.members) {
        if (is_tensile_code(member) && !has_library_beside(context.subject, member)) {
            out.add_at(
                Level::warn, "kernel-index", member, "no solution library names this code object"
            );
        }
    }
}

constexpr std::array device_files_list = {
    Check{"path-arch", &check_path_arch},
    Check{"kernel-index", &check_kernel_indexes},
    Check{"kernel-index", &check_orphaned_code},
};

}  // namespace

std::span<const Check> device_file_checks() {
    return device_files_list;
}

}  // namespace wheelforge::wheel
