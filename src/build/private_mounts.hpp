// SPDX-License-Identifier: Apache-2.0
// The mounts that every enclosed launch gets besides those it asks for.
#pragma once

#include <filesystem>
#include <vector>

#include "base/process.hpp"

namespace wheelforge::build {

/// A private home and /tmp (folders of `scratch`), and files of /etc that are the same on every
/// host; with `network` the host's name service instead of a hosts file of ours.
[[nodiscard]] std::vector<Mount> private_mounts(const std::filesystem::path& scratch, bool network);

}  // namespace wheelforge::build
