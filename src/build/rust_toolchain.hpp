// SPDX-License-Identifier: Apache-2.0
// The Rust compiler and cargo of this machine, behind whatever starts them: rustup's proxies look
// for toolchains below HOME and so do not work in a build's private one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/process.hpp"
#include "pep/version.hpp"

namespace wheelforge::build {

struct RustToolchain {
    std::filesystem::path cargo;  ///< the real programs
    std::filesystem::path rustc;
    std::filesystem::path root;  ///< sysroot; all that rustc reads is below
    pep::Version version;        ///< of rustc, without "-nightly"
    std::string identity;        ///< release, commit and host of rustc on one line
};

/// That of the caller's PATH; nullopt where rustc or cargo is not there or does not answer.
[[nodiscard]] std::optional<RustToolchain> find_rust_toolchain(const Environment& callers);

}  // namespace wheelforge::build
