// SPDX-License-Identifier: Apache-2.0
// Files that an archive lists more than once. Published sdists do so now and then, and mean nothing
// by it; which of two different files is meant, nobody can know.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "base/archive.hpp"

namespace wheelforge {

/// Reads `archive` again, if need be. Throws Error{refused} "archive-duplicate" unless each of
/// `paths` (as ArchiveLedger::repeated() gives them) has the same bytes and mode
/// every time.
void require_equal_repeats(
    const std::filesystem::path& archive,
    const ArchiveLimits& limits,
    const std::set<std::string>& paths
);

}  // namespace wheelforge
