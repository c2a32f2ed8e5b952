// SPDX-License-Identifier: Apache-2.0
// The grammar of one version (PEP 440, appendix B), shared by versions and specifiers.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "pep/version.hpp"

namespace wheelforge::pep {

/// A number that may be left out: "1.0a" means "1.0a0".
struct ScannedNumber {
    std::string_view digits;  ///< may be empty
};

/// Where the parts of one version stand in the scanned text. Nothing is copied.
struct ScannedVersion {
    std::string_view epoch;    ///< digits, empty if there is none
    std::string_view release;  ///< "1.2.3"
    std::optional<Version::PreKind> pre_kind;
    ScannedNumber pre;
    std::optional<ScannedNumber> post;
    std::optional<ScannedNumber> dev;
    std::string_view local;  ///< without '+', empty if there is none
    std::size_t release_end = 0;
    std::size_t end = 0;  ///< behind the last character that belongs to the version
};

/// What may follow the release of the version.
enum class VersionForm {
    whole,     ///< everything
    no_local,  ///< everything but a local part
    release,   ///< nothing: for "1.2.*"
};

/// Reads the longest version that starts at `from`; nullopt when there is not even a release.
[[nodiscard]] std::optional<ScannedVersion>
scan_version(std::string_view text, std::size_t from, VersionForm form = VersionForm::whole);

[[nodiscard]] Version to_version(const ScannedVersion& scanned);

}  // namespace wheelforge::pep
