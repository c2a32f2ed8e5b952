// SPDX-License-Identifier: Apache-2.0
// Crates for a build without network: cargo, as the caller has it configured, fetches what a lock
// names and puts it into a folder. No code of a package is run: cargo only reads manifests, and it
// starts outside the source, whose own .cargo/config.toml could name programs to start.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "build/rust_toolchain.hpp"

namespace wheelforge::build {

struct CrateRequest {
    const RustToolchain& toolchain;
    const Environment& callers;  ///< CARGO_HOME, proxies, tokens: they stay with cargo
    bool offline = false;
    /// Of the unpacked source.
    std::vector<std::filesystem::path> manifests;
};

/// Writes the Cargo.lock that the first manifest lacks, with the newest crates that the compiler
/// can build, and returns its path. Throws as vendor_crates().
[[nodiscard]] std::filesystem::path lock_crates(const CrateRequest& request, std::stop_token stop);

/// Fetches all crates of the manifests into `folder`, each checked against its lock. A lock that
/// does not fit its manifest is an error.
/// @param inside  where the build sees `folder`
/// @returns a config.toml that has cargo take them from there
/// Throws Error{surroundings} "crates-unavailable", Error{refused} "crate-mismatch",
/// Error{build_failed} "cargo-failed".
[[nodiscard]] std::string vendor_crates(
    const CrateRequest& request,
    const std::filesystem::path& folder,
    const std::filesystem::path& inside,
    std::stop_token stop
);

}  // namespace wheelforge::build
