// SPDX-License-Identifier: Apache-2.0
// Core metadata (METADATA and PKG-INFO; PEP 241, 314, 345, 566, 643, 639, 685, 794; up to 2.6).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::pep {

struct Metadata {
    std::string metadata_version;
    std::string name;          ///< as written
    std::string version_text;  ///< as written
    Version version;
    std::vector<Requirement> requires_dist;
    std::vector<std::string> provides_extra;  ///< normalised
    SpecifierSet requires_python;
    std::vector<std::string> dynamic;  ///< lower case field names
    std::string summary;
    std::string license;
    std::string license_expression;
    std::vector<std::string> license_files;
    std::string home_page;
    std::vector<std::string> project_urls;
    std::vector<std::string> import_names;       ///< as written, "a.b ; private"
    std::vector<std::string> import_namespaces;  ///< the same (PEP 794)
    /// Every header in file order, names as written; for checks and for the SBOM.
    std::vector<std::pair<std::string, std::string>> headers;

    /// Lenient where old files are odd (unknown headers, missing Metadata-Version in PKG-INFO of
    /// eggs), strict where it matters: NUL bytes, two Names, invalid name, version or requirement,
    /// major version above 2 are errors.
    [[nodiscard]] static Parsed<Metadata> parse(std::string_view text);

    /// PEP 643: whether `field` of an sdist's PKG-INFO will be the same in any wheel built from
    /// it: metadata 2.2 or newer and the field not listed in Dynamic. Field in lower case,
    /// "requires-dist".
    [[nodiscard]] bool is_static(std::string_view field) const;
};

}  // namespace wheelforge::pep
