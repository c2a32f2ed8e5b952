// SPDX-License-Identifier: Apache-2.0
// pylock.toml (PEP 751, lock-version 1.0) of a runtime set, for the target it was resolved for.
#pragma once

#include <filesystem>
#include <string>

#include "engine/resolution.hpp"

namespace wheelforge::engine {

/// Of every file the digests are written that are known; resolve_only() with `every_digest` knows
/// one of each. Local files and folders are written as paths, relative when they lie in `folder`.
/// The version of what is built from a source tree (git, folders) is left out, as the PEP asks.
/// @param folder  where the lock file will be
[[nodiscard]] std::string
pylock_text(const Resolved& resolved, const std::filesystem::path& folder);

}  // namespace wheelforge::engine
