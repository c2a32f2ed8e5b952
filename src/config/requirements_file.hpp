// SPDX-License-Identifier: Apache-2.0
// Requirements and constraints files as pip reads them.
#pragma once

#include <filesystem>
#include <functional>
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
    std::vector<RequirementLine> constraints;  ///< by -c inside
    std::vector<std::string> index_urls;       ///< --index-url; the last one counts
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    std::vector<std::string> trusted_hosts;
    /// Taken as wheels, by --only-binary that no later --no-binary takes back: normalised names, or
    /// ":all:".
    std::vector<std::string> only_binary;
    bool no_index = false;
    bool allow_prereleases = false;
    bool require_hashes = false;
};

/// Gives the text behind an http(s) URL, or throws Error.
using FetchText = std::function<std::string(const std::string& url)>;

/// Comments, continuation lines, -r and -c (relative to the file, cycles refused), ${VARIABLE}
/// (pip's form: upper case, left alone when not set), extras, markers, name @ url, --hash (sha256,
/// sha384, sha512). Throws Error{usage} "bad-requirement" with file:line:column; options pip has
/// that we do not are refused by name. A file that is named again is read once.
/// @param path   a path, a file: URL, or with `fetch` an http(s) URL
/// @param fetch  reads http(s) URLs; without it they are refused
[[nodiscard]] RequirementsFile
read_requirements_file(const std::filesystem::path& path, const FetchText& fetch = {});
/// A constraints file: no extras, no URL, no editable; -c and -r inside are constraints too. All it
/// says stands in `constraints`.
[[nodiscard]] RequirementsFile
read_constraints_file(const std::filesystem::path& path, const FetchText& fetch = {});
/// One requirement from elsewhere (a command line, a YAML value) under the same rules: no bare path
/// or URL, Error "bad-requirement" that begins with `where`.
[[nodiscard]] pep::Requirement parse_requirement(std::string_view text, std::string_view where);

}  // namespace wheelforge::config
