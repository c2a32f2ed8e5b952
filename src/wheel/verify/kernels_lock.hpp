// SPDX-License-Identifier: Apache-2.0
// kernels.lock: what the last accepted build of each package held, file by file and arch by arch,
// so that a rebuild that lost something is told from one that changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/inspect.hpp"

namespace wheelforge::wheel {

struct LockedArch {
    std::uint64_t kernels = 0;
    std::string names;            ///< sha256 over the sorted names, one a line
    std::set<std::string> empty;  ///< kernels without a body
    std::set<std::string> all;    ///< the names themselves, when a wheel was the source
};

struct LockedPackage {
    std::string version;
    std::uint64_t elf_files = 0;
    std::uint64_t bytes = 0;  ///< of those files
    /// By path with interpreter and platform taken out of extension module names, then by arch.
    std::map<std::string, std::map<std::string, LockedArch>> files;
};

struct KernelsLock {
    std::map<std::string, LockedPackage, std::less<>> packages;  ///< by normalised name
};

/// "a/_C.cpython-312-x86_64-linux-gnu.so" -> "a/_C.so", so that a rebuild for another interpreter
/// compares.
[[nodiscard]] std::string lock_path(std::string_view path);

[[nodiscard]] LockedPackage
locked_package(std::string version, const std::vector<FileReport>& files);

/// Throws Error{usage} "bad-yaml", "bad-value", "unknown-key".
[[nodiscard]] KernelsLock parse_kernels_lock(std::string_view text, const std::string& file);
[[nodiscard]] KernelsLock load_kernels_lock(const std::filesystem::path& path);
/// The same lock gives the same bytes.
[[nodiscard]] std::string kernels_lock_text(const KernelsLock& lock);

}  // namespace wheelforge::wheel
