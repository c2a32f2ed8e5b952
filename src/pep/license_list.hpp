// SPDX-License-Identifier: Apache-2.0
// The SPDX licence list that the program carries (spdx_licenses.yaml).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wheelforge::pep {

struct LicenseEntry {
    std::string id;  ///< in canonical case
    bool deprecated = false;
};

struct LicenseList {
    using Entries = std::map<std::string, LicenseEntry, std::less<>>;  // by lower case id
    std::string version;
    Entries licenses;
    Entries exceptions;
    /// Read on first use, once per process.
    [[nodiscard]] static const LicenseList& get();
};

}  // namespace wheelforge::pep
