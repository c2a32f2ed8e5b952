// SPDX-License-Identifier: Apache-2.0
// Tar archives as a MemberSource, by libarchive.
#pragma once

#include "base/archive_members.hpp"
#include "base/archive_stream.hpp"

namespace wheelforge {

[[nodiscard]] std::unique_ptr<MemberSource>
open_tar(const std::filesystem::path& archive, ArchiveKind kind, const ArchiveLimits& limits);

}  // namespace wheelforge
