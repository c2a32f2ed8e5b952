// SPDX-License-Identifier: Apache-2.0
// Reading build records back (docs/formats/build-record.schema.json), from records/*.json, from a
// build.json, or from inside a wheel.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wheel/finding.hpp"

namespace wheelforge::engine {

struct Record {
    std::string name;
    std::string version;
    std::string build_key;
    std::string payload;
    std::vector<std::string> inputs;
    std::set<std::string> matched;         ///< wheels of the environment it must match at run time
    std::string wheel_sha256;              ///< of the file, where measured
    std::string wheel;                     ///< file name, "" in a record without measurements
    std::optional<double> seconds;         ///< wall time of all steps, where measured
    std::vector<wheel::Finding> findings;  ///< when it was built, where measured; none is an error
    std::filesystem::path origin;          ///< the file it was read from
};

/// Throws Error{usage} "bad-record" with the place in the document, and "file-not-found".
[[nodiscard]] Record load_record(const std::filesystem::path& path);

/// Every readable record directly in `folder`, sorted by file name; what is none is skipped.
/// @param name  normalised; "" for all
[[nodiscard]] std::vector<Record>
records_in(const std::filesystem::path& folder, const std::string& name);

}  // namespace wheelforge::engine
