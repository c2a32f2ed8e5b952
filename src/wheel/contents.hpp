// SPDX-License-Identifier: Apache-2.0
// The files of a wheel with their digests: hashed once, then used by the checks, the payload
// digest and the new RECORD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {

struct FileDigest {
    std::string name;
    std::string sha256;  ///< hex
    std::uint64_t size = 0;
    bool executable = false;
};

/// All members but folders, sorted by name. Streams: memory does not grow with the wheel.
[[nodiscard]] std::vector<FileDigest> digest_files(const WheelFile& wheel);

/// RECORD and what signs it: not listed in RECORD, not part of the payload.
[[nodiscard]] bool is_record_file(std::string_view name, std::string_view dist_info);

/// As their namesakes in wheel_file.hpp, from digests already known.
[[nodiscard]] std::string
payload_digest(const std::vector<FileDigest>& files, std::string_view dist_info);
[[nodiscard]] std::vector<Finding>
check_structure(const WheelFile& wheel, const std::vector<FileDigest>& files);

}  // namespace wheelforge::wheel
