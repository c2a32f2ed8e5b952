// SPDX-License-Identifier: Apache-2.0
// From the raw wheel a backend left to the wheel we stand for: extra files in .dist-info, RECORD
// rewritten, deterministic zip with members copied raw.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pep/metadata.hpp"
#include "pep/tags.hpp"
#include "wheel/finding.hpp"

namespace wheelforge::wheel {

struct SealRequest {
    std::filesystem::path raw;
    std::filesystem::path folder;      ///< where the sealed wheel is written, under its own name
    std::string expected_name;         ///< normalised
    pep::Version expected_version;     ///< a local part added by the build is accepted
    const pep::Target* target = nullptr;
    /// {path below .dist-info, content}: SBOM, build record.

    std::vector<std::pair<std::string, std::string>> extra_files;
};

struct SealedWheel {
    std::filesystem::path path;
    std::string filename;
    pep::Version version;         ///< as built (may have a local part)
    std::string sha256;
    std::string payload;          ///< payload_digest
    pep::Metadata metadata;
    std::vector<Finding> findings;  ///< structure, name, version and tag checks
};

/// Checks and seals. With error findings nothing is written and `path` is empty.
[[nodiscard]] SealedWheel seal(const SealRequest& request);

}  // namespace wheelforge::wheel
