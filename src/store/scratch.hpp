// SPDX-License-Identifier: Apache-2.0
// Scratch folders of running processes, and what dead ones left behind.
//
// Every process works below scratch/run-XXXXXX and holds the lock file in it for as long as it
// lives; the kernel lets go of it however the process ends. A folder whose lock is free is
// rubbish. Making and looking are serialised by one more lock, so that a folder is never seen
// between its creation and its lock.
#pragma once

#include <filesystem>
#include <utility>

#include "base/files.hpp"

namespace wheelforge::store {

/// Makes this process's folder below `scratch` and removes those of dead processes.
/// @param guard  lock file that serialises this
[[nodiscard]] std::pair<TempDir, FileLock>
claim_scratch(const std::filesystem::path& scratch, const std::filesystem::path& guard);

/// How many other processes hold a folder below `scratch`.
[[nodiscard]] std::size_t
other_runs(const std::filesystem::path& scratch, const std::filesystem::path& own);

}  // namespace wheelforge::store
