// SPDX-License-Identifier: Apache-2.0
// What can be said of a build before it starts, by reading the tree it starts from: variables that
// are set and read by nobody, architecture variables that are read and set by nobody.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/request.hpp"
#include "engine/source_tree.hpp"
#include "plugin/recipe.hpp"
#include "wheel/finding.hpp"
#include "wheel/source_tree/tree_files.hpp"

namespace wheelforge::engine {

struct TreeToLint {
    wheel::TreeFiles tree;
    std::string family;                      ///< of the variant: "rocm"
    std::vector<plugin::BuildVariable> own;  ///< what settings and plugins set for this package
    std::set<std::string> others;            ///< names that reach the build from elsewhere
    std::set<std::string> build_requires;    ///< normalised names
};

/// Findings `dead-variable` and `unset-arch-variable`, worst first.
[[nodiscard]] std::vector<wheel::Finding> lint_tree(const TreeToLint& subject);

/// The same for a source that was opened, with what the request sets for it.
[[nodiscard]] std::vector<wheel::Finding>
lint_source(const OpenSource& source, const BootstrapRequest& request);

/// For people: "setup.py:441: warn: HIP_ARCHITECTURES is read there ... [unset-arch-variable]".
[[nodiscard]] std::string
lint_text(const std::string& source, const std::vector<wheel::Finding>& findings);

/// Whether a variable chooses architectures, by its name: GPU_ARCHS, HIP_ARCHITECTURES,
/// NVCC_GENCODE, CMAKE_CUDA_ARCHITECTURES; not ARCHFLAGS or MACOSX_DEPLOYMENT_TARGET.
[[nodiscard]] bool chooses_archs(std::string_view variable);

}  // namespace wheelforge::engine
