// SPDX-License-Identifier: Apache-2.0
// Requirements and constraints files as pip reads them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pep/requirement.hpp"

namespace wheelforge::config {

struct RequirementLine {
    pep::Requirement requirement;
    std::string origin;               ///< "requirements.txt:3"
    std::vector<std::string> hashes;  ///< "sha256:..." of --hash
};

/// What a tree of requirements files says.
struct RequirementsFile {
    std::vector<RequirementLine> requirements;
    std::vector<RequirementLine> constraints;   ///< by -c inside
    std::vector<std::string> index_urls;        ///< --index-url; the last one counts
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    bool no_index = false;
    bool allow_prereleases = false;
    bool require_hashes = false;
};

/// Comments, continuation lines, -r and -c (relative to the file, cycles refused), ${VARIABLE}
/// (pip's form), extras, markers, name @ url, --hash. Throws Error{usage} "bad-requirement" with
/// file:line:column; options pip has that we do not are refused by name.
[[nodiscard]] RequirementsFile read_requirements_file(const std::filesystem::path& path);
/// A constraints file: no extras, no editable; -c and -r inside are constraints too.
[[nodiscard]] RequirementsFile read_constraints_file(const std::filesystem::path& path);

}  // namespace wheelforge::config
