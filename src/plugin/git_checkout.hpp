// SPDX-License-Identifier: Apache-2.0
// Checking a git repository out with the git program, which brings the user's own credentials,
// proxies and mirrors. Blocking.
#pragma once

#include <filesystem>
#include <string>

#include "base/process.hpp"

namespace wheelforge::plugin {

struct GitPlace {
    std::string url;
    std::string revision;  ///< branch, tag, commit (also abbreviated); "" is the default branch
};

/// The full commit without fetching anything: of a full commit itself, else of the branch or tag;
/// "" when only a fetch can tell (an abbreviated commit).
[[nodiscard]] std::string find_commit(const GitPlace& place, const Environment& environment);

/// Submodules included, shallow where the server allows it. `folder` must be empty.
/// @returns the full commit. Throws Error{surroundings} "git-failed", {usage} "program-not-found".
[[nodiscard]] std::string check_out(
    const GitPlace& place, const std::filesystem::path& folder, const Environment& environment
);

/// The nearest tag that names this very commit, "" if there is none.
[[nodiscard]] std::string
tag_of(const std::filesystem::path& folder, const Environment& environment);

}  // namespace wheelforge::plugin
