// SPDX-License-Identifier: Apache-2.0
// An sdist opened and judged (PEP 517 "source distributions", PEP 625, 643, and older forms:
// no pyproject.toml, no PKG-INFO, roots not named as today).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pep/metadata.hpp"
#include "pep/pyproject.hpp"

namespace wheelforge::source {

/// What a source archive says about itself without being unpacked or run.
struct SdistFacts {
    std::string root;                           ///< name of the root folder
    std::optional<std::string> pkg_info_text;   ///< PKG-INFO of build_dir, else of the root
    std::optional<pep::Metadata> pkg_info;      ///< the same, if it parses
    std::optional<std::string> pyproject_text;  ///< raw pyproject.toml of build_dir
    pep::Pyproject pyproject;                   ///< legacy default without one
    bool has_setup_py = false;
    /// By the members' extensions: "c", "c++", "cython", "rust" (Cargo.toml), "fortran", "cuda",
    /// "hip", "cmake" (CMakeLists.txt), "meson" (meson.build).
    std::set<std::string> languages;
    std::map<std::string, std::string> cargo_manifests;  ///< Cargo.toml -> its rust-version or ""
    std::set<std::string> cargo_locks;                   ///< Cargo.lock, relative to the root
    bool brings_crates = false;        ///< its .cargo/config.toml points at crates of its own
    std::int64_t newest_mtime = 0;     ///< of all members: SOURCE_DATE_EPOCH
    std::vector<std::string> notices;  ///< of its archive (base/archive.hpp)
    /// Requirements known without running anything: PKG-INFO static (PEP 643), or static
    /// [project].dependencies. nullopt: ask the backend.
    [[nodiscard]] std::optional<std::vector<pep::Requirement>> static_requirements() const;
    [[nodiscard]] std::optional<pep::SpecifierSet> static_requires_python() const;
};

struct SdistIdentity {
    std::string name;  ///< normalised
    pep::Version version;
    bool operator==(const SdistIdentity&) const = default;
};
/// What "some_pkg-1.0" may stand for: old names are ambiguous ("a-1-2.0"), so there can be several.
[[nodiscard]] std::vector<SdistIdentity> identities_of(std::string_view stem);
/// The file's name without its extension; nullopt where it has none of a source archive.
[[nodiscard]] std::optional<std::string> sdist_stem(const std::string& filename);

/// Throws Error{refused} "sdist-root" unless the root folder is called as the file is, or as the
/// project and its version, however they are spelled.
void require_root(
    const std::string& root, const std::string& filename, const SdistIdentity& identity
);

/// @param build_dir  "" or the relative folder that holds pyproject.toml
/// Throws Error{refused}: "archive-*", "sdist-root", "sdist-identity" (PKG-INFO names another
/// project or version; one that only normalises differently, or has a local part more or less, is
/// fine), Error{build_failed} "bad-pyproject", Error{usage} "bad-build-dir".
[[nodiscard]] SdistFacts inspect_sdist(
    const std::filesystem::path& archive,
    const std::string& name,
    const pep::Version& version,
    const std::string& build_dir = ""
);

/// The folder of an unpacked sdist that is built: `unpacked_root` or `build_dir` below it. Throws
/// Error{usage} "bad-build-dir" when that is no folder inside the root.
[[nodiscard]] std::filesystem::path
tree_root(const std::filesystem::path& unpacked_root, const std::string& build_dir);

}  // namespace wheelforge::source
