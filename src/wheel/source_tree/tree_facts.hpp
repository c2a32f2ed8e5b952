// SPDX-License-Identifier: Apache-2.0
// What a source tree says, without being run, about how it is built: variables, build requirements,
// submodules, downloads and architectures. Enough to see what changed between two versions.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/source_tree/tree_files.hpp"
#include "wheel/source_tree/variable_reads.hpp"

namespace wheelforge::wheel {

/// Something a script names, and where it does so first.
struct Mention {
    std::string text;
    std::string file;  ///< below the tree
    int line = 0;
};

struct TreeFacts {
    std::set<std::string> build_scripts;  ///< scripts that steer the build, or are imported there
    std::vector<VariableRead> reads;  ///< by file and line; not of tests, docs and vendored code
    std::vector<Mention> build_requires;  ///< of pyproject.toml, as written
    std::vector<Mention> submodules;      ///< "path = url" of .gitmodules
    std::vector<Mention> downloads;       ///< URLs that build scripts fetch from
    std::vector<Mention> archs;           ///< "gfx942", "sm_90a": what build scripts name
};

/// Reads the scripts of a tree.
[[nodiscard]] TreeFacts read_tree(const TreeFiles& tree);

/// Whether a script takes part in building, as far as its place tells: setup.py and its neighbours,
/// CMake files, build.rs, what lies in folders called cmake, tools or build.
[[nodiscard]] bool steers_build(const std::filesystem::path& file);

/// Those of the names that stand in any text of the tree as a word of their own.
[[nodiscard]] std::set<std::string>
mentioned_names(const TreeFiles& tree, const std::set<std::string>& names);

/// URLs in a build script that are fetched: by the kind of file, or by the word beside them.
[[nodiscard]] std::vector<Mention>
downloads_in_script(const std::string& file, std::string_view text);
/// Architectures in a build script: gfx and sm names, and quoted lists like "7.5;8.0;9.0a".
[[nodiscard]] std::vector<Mention> archs_in_script(const std::string& file, std::string_view text);

}  // namespace wheelforge::wheel
