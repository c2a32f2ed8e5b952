// SPDX-License-Identifier: Apache-2.0
// RECORD against the files that are really there.
#pragma once

#include <vector>

#include "wheel/contents.hpp"
#include "wheel/finding_list.hpp"

namespace wheelforge::wheel {

/// Findings record-missing, record-unlisted, record-absent, record-duplicate, record-weak-hash,
/// record-mismatch.
void check_record(
    const WheelFile& wheel, const std::vector<FileDigest>& files, FindingList& findings
);

}  // namespace wheelforge::wheel
