// SPDX-License-Identifier: Apache-2.0
// The Rust in a source, as its files tell it: manifests (Cargo.toml), locks (Cargo.lock version 3
// and 4) and which of the manifests the build starts from. Pure text, nothing is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/sdist.hpp"

namespace wheelforge::source {

/// `rust-version` of [package] or [workspace.package]; "" without one, or where the manifest
/// cannot be read.
[[nodiscard]] std::string rust_version_of(std::string_view cargo_toml);

/// Whether the build compiles Rust: the source holds a manifest, and its build system is maturin
/// or setuptools-rust. Manifests alone may be test data or templates.
[[nodiscard]] bool builds_rust(const SdistFacts& facts);

/// What a build needs from crate registries.
struct CargoPlan {
    /// Manifests whose dependencies are fetched, sorted; relative to the root of the source.
    std::vector<std::string> manifests;
    /// Of those, the ones that no Cargo.lock stands for.
    std::vector<std::string> unlocked;
    std::string rust_version;  ///< the highest that those manifests ask for, "" for none
};
/// Starts from the manifest that [tool.maturin] names; else from those that have a lock; else from
/// the outermost ones. Nothing is needed where the source brings its crates along.
/// @param build_dir  "" or the relative folder that is built
[[nodiscard]] CargoPlan plan_crates(const SdistFacts& facts, const std::string& build_dir);

struct Crate {
    std::string name;
    std::string version;
    std::string origin;    ///< "registry+https://...", "git+https://...#commit"
    std::string checksum;  ///< sha256 of the crate file; "" for git
    auto operator<=>(const Crate&) const = default;
};
/// The crates of a lock that come from elsewhere, sorted; nullopt if it cannot be read.
[[nodiscard]] std::optional<std::vector<Crate>> crates_in_lock(std::string_view cargo_lock);

/// Where the lock for a manifest is looked for: beside it, then in the folders above.
[[nodiscard]] std::vector<std::string> lock_places(const std::string& manifest);

}  // namespace wheelforge::source
