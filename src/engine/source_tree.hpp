// SPDX-License-Identifier: Apache-2.0
// The unpacked source of one package, wherever it is: a folder, an sdist, or an index.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "base/files.hpp"
#include "engine/request.hpp"
#include "pep/version.hpp"

namespace wheelforge::engine {

/// What the command line calls NAME==VERSION|SDIST|DIR.
struct SourceName {
    std::string name;                     ///< normalised; "" until the source was looked at
    std::optional<pep::Version> version;  ///< of NAME==VERSION
    std::filesystem::path path;           ///< of SDIST and DIR; empty for an index

    /// Throws Error{usage} "bad-requirement" for what is neither there nor a pinned requirement.
    [[nodiscard]] static SourceName parse(const std::string& text);
};

/// Unpacked in a temporary folder, which goes with it; a folder of the user's stays where it is.
struct OpenSource {
    std::string name;
    std::string version;  ///< "" if nothing says
    std::filesystem::path tree;
    std::set<std::string> build_requires;  ///< normalised names of [build-system].requires
    std::optional<TempDir> scratch;
};

/// Downloads if need be. Throws Error: "no-sdist" (unsatisfiable) when the index has none of that
/// version, "archive-*" for an archive that is refused.
[[nodiscard]] OpenSource open_source(const SourceName& source, const BootstrapRequest& request);

}  // namespace wheelforge::engine
