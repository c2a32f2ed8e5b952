// SPDX-License-Identifier: Apache-2.0
// Patches on an unpacked source tree, and what an sdist says about itself once they are applied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/patches.hpp"
#include "source/sdist.hpp"

namespace wheelforge::source {

/// Applies each with `patch -p1` at the root of the tree, in order. Throws Error{build_failed}
/// "patch-failed" with the patch and what the program said.
void apply_patches(
    const std::vector<config::PatchFile>& patches, const std::filesystem::path& root
);

/// The facts of the patched tree: pyproject.toml is read again. PKG-INFO, which was written before,
/// counts no more, since a patch may have changed what it tells.
/// @param scratch    an empty folder to unpack into; it is left empty
/// @param build_dir  as for inspect_sdist
[[nodiscard]] SdistFacts inspect_patched(
    SdistFacts facts,
    const std::filesystem::path& archive,
    const std::vector<config::PatchFile>& patches,
    const std::filesystem::path& scratch,
    const std::string& build_dir
);

}  // namespace wheelforge::source
