// SPDX-License-Identifier: Apache-2.0
// Compatibility tags (PEP 425, 600, 656, 703, 803) and the target a stack is built for.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "pep/marker.hpp"
#include "pep/version.hpp"

namespace wheelforge::pep {

struct Tag {
    std::string interpreter;  ///< "cp312", "py3"
    std::string abi;          ///< "cp312", "abi3", "none"
    std::string platform;     ///< "linux_x86_64", "any"
    [[nodiscard]] std::string text() const { return interpreter + "-" + abi + "-" + platform; }
    auto operator<=>(const Tag&) const = default;
};

/// Expands a compressed tag set "py2.py3-none-any" (PEP 425).
[[nodiscard]] Parsed<std::vector<Tag>> parse_tag_set(std::string_view text);

/// Everything that depends on where a wheel is to run. A value: resolving for an interpreter that
/// is not present works from a table (see target_for).
struct Target {
    Version python;  ///< full version, "3.12.1"
    bool free_threaded = false;
    std::string machine = "x86_64";  ///< as platform.machine()
    int glibc_major = 2;
    int glibc_minor = 36;
    MarkerEnvironment markers;
    std::vector<Tag> tags;  ///< most specific first, as packaging.tags.sys_tags()
    /// Position of the best of `candidates` in `tags`; -1 if none is compatible.
    [[nodiscard]] int rank(const std::vector<Tag>& candidates) const;
};

/// CPython on Linux with glibc: fills markers and tags.
[[nodiscard]] Target cpython_linux_target(
    const Version& python,
    std::string machine,
    int glibc_major,
    int glibc_minor,
    bool free_threaded = false
);

}  // namespace wheelforge::pep
