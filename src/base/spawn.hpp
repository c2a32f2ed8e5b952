// SPDX-License-Identifier: Apache-2.0
// fork and exec by hand: the part of process.cpp that happens on both sides of the fork.
// posix_spawn can neither set the parent-death signal nor run code of ours before exec.
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>

#include "base/process.hpp"

namespace wheelforge {

/// The descriptors that become 0, 1 and 2 of the child.
struct StandardDescriptors {
    int in;
    int out;
    int err;
};

/// Starts launch.argv from the file `program` and returns once exec has succeeded. The child leads
/// a process group of its own. Throws Error as run() does.
[[nodiscard]] pid_t spawn(
    const std::filesystem::path& program, const Launch& launch, const StandardDescriptors& standard
);

/// Error "cannot-start" about argv[0] and an errno.
[[noreturn]] void cannot_start(const Launch& launch, const std::string& why);

}  // namespace wheelforge
