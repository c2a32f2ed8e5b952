// SPDX-License-Identifier: Apache-2.0
// Zip sdists as a MemberSource. ZipReader has judged the whole structure before the first member
// is handed out.
#pragma once

#include "base/archive_members.hpp"

namespace wheelforge {

[[nodiscard]] std::unique_ptr<MemberSource>
open_zip(const std::filesystem::path& archive, const ArchiveLimits& limits);

}  // namespace wheelforge
