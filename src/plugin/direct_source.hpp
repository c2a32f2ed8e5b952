// SPDX-License-Identifier: Apache-2.0
// Requirements by URL ("name @ ..."): an archive, a wheel, a local folder or file, a git
// repository. Whatever it is becomes one archive in the store, and from there on it is an sdist
// (or a wheel) like any other, under its own digest.
#pragma once

#include <string>

#include "index/candidate.hpp"
#include "plugin/recipe.hpp"

namespace wheelforge::plugin {

struct DirectSource {
    std::string kind;              ///< "url", "local", "git"
    index::DistributionFile file;  ///< url is what was asked for, of git with the full commit
    std::string subdirectory;      ///< of the project inside, "" for the root
};

/// Fetches and packs: for workers. `name` is normalised.
/// git+SCHEME://...[@REV][#subdirectory=DIR]; http(s) and file URLs of an archive or a wheel
/// [#sha256=HEX&subdirectory=DIR]; file URLs of a folder. `#version=V` says the version of a
/// project that computes it (setuptools-scm), where no tag of that name and no file tells it.
/// Throws Error: "url-unsupported", "url-version-unknown" (usage), "git-failed" (surroundings),
/// "hash-mismatch" (refused).
[[nodiscard]] DirectSource
fetch_direct(const std::string& name, const std::string& url, const Toolbox& tools);

}  // namespace wheelforge::plugin
