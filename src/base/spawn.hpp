// SPDX-License-Identifier: Apache-2.0
// fork and exec by hand: the part of process.cpp that happens on both sides of the fork.
// posix_spawn can neither set the parent-death signal nor run code of ours before exec.
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <utility>

#include "base/process.hpp"

namespace wheelforge {

/// Closes a descriptor at the end of a scope; movable, may be empty.
class OwnedDescriptor {
public:
    OwnedDescriptor() = default;
    explicit OwnedDescriptor(int number) : number_(number) {}
    OwnedDescriptor(const OwnedDescriptor&) = delete;
    OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
    OwnedDescriptor(OwnedDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~OwnedDescriptor() { reset(); }
    [[nodiscard]] int get() const noexcept { return number_; }
    void reset() noexcept;

private:
    int number_ = -1;
};

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
