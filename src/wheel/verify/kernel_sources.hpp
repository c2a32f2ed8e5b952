// SPDX-License-Identifier: Apache-2.0
// The sources of a build against its wheel: kernels (`__global__`) that no device code holds, and
// the variables that the build looked at and found unset, which is how most of them get lost.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/source_tree/variable_reads.hpp"
#include "wheel/verify/check.hpp"

namespace wheelforge::wheel {

struct SourceKernel {
    std::string file;  ///< below the tree
    int line = 0;
    std::string name;  ///< as written in the source
};

/// Functions declared `__global__` in text, outside of comments and strings.
[[nodiscard]] std::vector<SourceKernel>
kernels_in_source(const std::string& file, std::string_view text);

struct KernelSourceAudit {
    std::vector<SourceKernel> uncovered;  ///< of files none of whose kernels is in the wheel
    std::size_t kernels = 0;              ///< in all sources
    std::vector<VariableRead> unset;      ///< of the build scripts at the root, in order
};

/// @param held  mangled names of kernels that count
[[nodiscard]] KernelSourceAudit audit_kernel_sources(
    const std::filesystem::path& source_tree,
    const std::vector<std::string>& held,
    const std::map<std::string, std::string>& environment
);

[[nodiscard]] std::span<const Check> source_checks();

}  // namespace wheelforge::wheel
