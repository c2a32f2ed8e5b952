// SPDX-License-Identifier: Apache-2.0
// Patches as Fromager keeps them: <folder>/<name>[-<version>]/*.patch for every variant, and
// <folder>/<name>[-<version>]/<variant>/*.patch for one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pep/version.hpp"

namespace wheelforge::config {

struct PatchFile {
    std::string path;
    std::string filename;                 ///< they are applied in the order of these
    std::optional<pep::Version> version;  ///< public; nullopt: any
    std::string sha256;
};

/// A folder of patches: what its name says.
struct PatchFolder {
    std::string path;
    std::string name;  ///< normalised
    std::optional<pep::Version> version;
    bool is_canonical = true;  ///< spelled as Fromager finds it: name in lower case with '_'
};

/// Sorted by path. A folder that does not exist has none. Throws Error{usage} "bad-patch-folder"
/// for a name that is neither NAME nor NAME-VERSION.
[[nodiscard]] std::vector<PatchFolder> patch_folders(const std::string& folder);

/// By package, each list sorted by file name. `variants` are the names of subfolders that count.
[[nodiscard]] std::map<std::string, std::vector<PatchFile>>
load_patches(const std::string& folder, const std::vector<std::string>& variants);

/// Those for one version, in the order in which they are applied.
[[nodiscard]] std::vector<PatchFile>
patches_for(const std::vector<PatchFile>& patches, const pep::Version& version);

}  // namespace wheelforge::config
