// SPDX-License-Identifier: Apache-2.0
// What killed processes leave where files appear by renaming (base/files.hpp).
#pragma once

#include <cstddef>
#include <filesystem>

namespace wheelforge {

/// Whether a file has the name of one that is being written, or was when its writer died.
[[nodiscard]] bool is_temporary(const std::filesystem::path& file);

enum class Depth { folder, tree };

/// Removes temporary files of AtomicFile and publish_copy() that nobody writes any more. Writers of
/// AtomicFile hold a lock for as long as they live; nobody may publish_copy() into `folder`
/// meanwhile. What cannot be read or removed stays.
/// @returns how many went
std::size_t sweep_leftovers(const std::filesystem::path& folder, Depth depth);

}  // namespace wheelforge
