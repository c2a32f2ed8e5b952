// SPDX-License-Identifier: Apache-2.0
// Names in one archive that are two files here and one file elsewhere: some file systems ignore
// case, some the normal form of Unicode (UAX #15).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wheelforge {

class NameCollisions {
public:
    /// @param path  valid UTF-8, '/' between its parts, not added before; its folders come first
    void add(std::string_view path);
    /// A line for every pair, names printable; what lies below folders that collide is not told
    /// again. Twenty at most, then how many more there are.
    [[nodiscard]] std::vector<std::string> notices() const;

private:
    std::unordered_map<std::string, std::string> first_;  ///< folded -> the name that came first
    std::vector<std::string> told_;
    std::size_t untold_ = 0;
};

}  // namespace wheelforge
