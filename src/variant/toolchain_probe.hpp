// SPDX-License-Identifier: Apache-2.0
// Looks for a toolchain as its rule says, and asks it what it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "variant/toolchain.hpp"

namespace wheelforge::variant {

/// Where to look: everything that the outcome depends on besides the file system.
struct Surroundings {
    Environment variables;             ///< the caller's
    std::string path;                  ///< value of PATH
    std::filesystem::path python_bin;  ///< folder of the interpreter's programs; may be empty
};

struct Toolchain {
    std::filesystem::path root;
    std::string found_by;  ///< "ROCM_PATH", "/opt/rocm"
    std::optional<pep::Version> version;
    std::string version_from;                ///< file or command
    std::filesystem::path device_libraries;  ///< empty if there are none
};

struct ToolchainProbe {
    std::optional<Toolchain> found;
    /// Every place looked at before (or without) success, with what was wrong there.
    std::vector<std::string> tried;
};
[[nodiscard]] ToolchainProbe find_toolchain(const ToolchainRule& rule, const Surroundings& where);

/// The architectures its compiler takes, as the compiler lists them; nullopt if none could be
/// asked. The answer is remembered by the compiler's identity.
[[nodiscard]] std::optional<std::vector<std::string>>
accepted_archs(const ToolchainRule& rule, const Toolchain& toolchain, const std::string& path);

/// sha256 over version, what the fingerprint commands print, and the digests of the files.
[[nodiscard]] std::string
fingerprint(const ToolchainRule& rule, const Toolchain& toolchain, const std::string& path);

/// Version by a reader; nullopt if the file is not there, the command fails or nothing matches.
[[nodiscard]] std::optional<pep::Version> read_version(
    const VersionReader& reader, const std::filesystem::path& root, const std::string& path
);
/// What a command prints on stdout and stderr; "" if it cannot be run or fails. Answers of programs
/// that are no scripts are remembered. A program with a slash is relative to `root`.
[[nodiscard]] std::string
ask(const std::vector<std::string>& command,
    const std::filesystem::path& root,
    const std::string& path);

}  // namespace wheelforge::variant
