// SPDX-License-Identifier: Apache-2.0
// Writing test files quickly: without the sync that write_file owes its users.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace wheelforge::support {

inline std::filesystem::path save(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << bytes;
    return path;
}

}  // namespace wheelforge::support
