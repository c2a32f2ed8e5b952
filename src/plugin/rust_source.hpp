// SPDX-License-Identifier: Apache-2.0
// Rust in a package: what must be settled before its key is known, and its crates, fetched before
// the build, which has no network.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "build/rust_toolchain.hpp"
#include "plugin/recipe.hpp"
#include "source/cargo.hpp"

namespace wheelforge::plugin {

/// The compiler's identity as an input, and the Cargo.lock that the source lacks; the lock is made
/// once for each source and cache, and is an input too. Nothing for a package without Rust.
/// Throws Error{usage} "rust-not-found", "rust-too-old"; what build::lock_crates() throws.
[[nodiscard]] Supplement
supplement_rust(const Recipe& recipe, const SourceView& source, const Toolbox& tools);

/// A build's toolchain and crates.
struct RustProvision {
    build::RustToolchain toolchain;
    std::vector<source::Crate> crates;  ///< by the locks of the tree
};

/// Fetches the crates into `home`/.cargo and has cargo find them there; nullopt for a package
/// without Rust.
/// @param home    of the build, on this host
/// @param inside  the same as the build sees it
[[nodiscard]] std::optional<RustProvision> provide_crates(
    const BuildOrder& order,
    const Toolbox& tools,
    const std::filesystem::path& tree,
    const std::pair<std::filesystem::path, std::filesystem::path>& home_and_inside,
    const std::stop_token& stop
);

}  // namespace wheelforge::plugin
