// SPDX-License-Identifier: Apache-2.0
// What the allocator holds without anybody using it.
#pragma once

namespace wheelforge {

/// Gives it back to the system; takes some milliseconds. For after a large text was parsed: glibc
/// keeps for each thread what that thread has freed.
void return_free_memory() noexcept;

}  // namespace wheelforge
