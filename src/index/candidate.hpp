// SPDX-License-Identifier: Apache-2.0
// What an index offers for one project: files, each an sdist or a wheel of some version.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pep/filename.hpp"
#include "pep/specifier.hpp"

namespace wheelforge::index {

/// One file of a project page (PEP 503, 592, 658/714, 691, 700).
struct DistributionFile {
    enum class Kind { sdist, wheel };
    Kind kind = Kind::sdist;
    std::string filename;
    std::string url;  ///< absolute, without fragment and without credentials
    pep::Version version;
    std::vector<pep::Tag> tags;  ///< of a wheel
    std::uint64_t build_number = 0;
    std::string build_suffix;
    std::map<std::string, std::string> hashes;         ///< algorithm -> lower-case hex
    std::optional<pep::SpecifierSet> requires_python;  ///< nullopt: none stated, or unparsable
    bool yanked = false;
    std::string yanked_reason;
    std::optional<std::uint64_t> size;
    std::optional<std::string> upload_time;  ///< ISO 8601, UTC
    /// PEP 658/714: METADATA beside the file; key algorithm -> digest, may be empty
    std::optional<std::map<std::string, std::string>> metadata_hashes;
    std::string index_url;  ///< which index answered (without credentials)
};

/// A project as one index (or find-links folder) shows it.
struct ProjectPage {
    std::string name;  ///< normalised
    std::vector<DistributionFile> files;
    std::vector<std::string> skipped;  ///< file names that could not be understood, with the reason
    std::string status;                ///< PEP 792: active, archived, deprecated, quarantined
    std::string status_reason;
};

}  // namespace wheelforge::index
