// SPDX-License-Identifier: Apache-2.0
// Facts about this machine: how much of it we may use, which of its programs a build can see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "engine/catalog.hpp"
#include "store/store.hpp"

namespace wheelforge::engine {

/// Processors by affinity and cgroup quota (v1 and v2), at least 1.
[[nodiscard]] unsigned available_cores();
/// Bytes by cgroup limit and MemAvailable.
[[nodiscard]] std::uint64_t available_memory();

/// Inputs of every build: OS id, libc, and the digest of each compiler and build program on
/// `path`. Digests are remembered by (path, size, mtime).
[[nodiscard]] std::vector<std::string>
host_inputs(const store::Store& store, const std::string& path, const std::string& sandbox_class);

/// Those of the settings' system tools that are installed, with their version.
[[nodiscard]] std::vector<InstalledTool>
find_installed_tools(const std::vector<config::SystemTool>& tools, const std::string& path);

/// A CPython that is not here, on a machine with this one's processor and libc.
[[nodiscard]] pep::Target host_target(const pep::Version& python);

/// File names of the shared libraries in the loader's standard folders. A stack built here without
/// a declared target runs here, or where the same system libraries are.
[[nodiscard]] std::vector<std::string> system_libraries();

/// sha256 of the sorted list of installed system packages (dpkg or rpm); asked once.
[[nodiscard]] std::optional<std::string> system_packages_digest();

}  // namespace wheelforge::engine
