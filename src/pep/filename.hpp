// SPDX-License-Identifier: Apache-2.0
// Distribution file names: wheels (PEP 427, 491) and sdists (PEP 625 and what came before it).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.hpp"
#include "pep/tags.hpp"
#include "pep/version.hpp"

namespace wheelforge::pep {

struct WheelFilename {
    std::string name;          ///< normalised
    std::string written_name;  ///< as in the file name
    Version version;
    std::string written_version;
    std::optional<std::pair<std::uint64_t, std::string>> build;  ///< (1, "abc") of "1abc"
    std::string tag_set;                                         ///< "py2.py3-none-any"
    std::vector<Tag> tags;
    [[nodiscard]] static Parsed<WheelFilename> parse(std::string_view filename);
};

struct SdistFilename {
    std::string name;  ///< normalised
    Version version;
    std::string extension;  ///< ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz"
    /// Old names are ambiguous ("a-b-1.0.tar.gz"): `project` (normalised) settles where the name
    /// ends.
    [[nodiscard]] static Parsed<SdistFilename>
    parse(std::string_view filename, std::string_view project);
};

}  // namespace wheelforge::pep
