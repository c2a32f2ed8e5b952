// SPDX-License-Identifier: Apache-2.0
// From the raw wheel a backend left to the wheel we stand for: extra files in .dist-info, RECORD
// rewritten, deterministic zip with members copied raw.
//
// Two steps, because the SBOM and the build record that go in tell what was found in the raw
// wheel: examine() reads and judges it, seal() writes the sealed one from what examine() found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pep/metadata.hpp"
#include "pep/tags.hpp"
#include "wheel/contents.hpp"
#include "wheel/finding.hpp"

namespace wheelforge::wheel {

/// What the raw wheel is and whether it may be sealed.
struct RawWheelFacts {
    std::string filename;
    pep::Version version;  ///< as built (may have a local part)
    std::string payload;   ///< payload_digest
    pep::Metadata metadata;
    std::string metadata_text;
    std::vector<FileDigest> files;  ///< sorted by name
    std::vector<Finding> findings;  ///< structure, name, version and tag checks
};

/// @param expected_name     normalised
/// @param expected_version  a local part added by the build is accepted (finding local-version)
/// @param target            nullptr: tags are not judged
/// Throws Error{refused} as WheelFile does. Findings beyond check_structure: name-mismatch,
/// version-mismatch, local-version (info), tag-foreign.
[[nodiscard]] RawWheelFacts examine(
    const std::filesystem::path& raw,
    const std::string& expected_name,
    const pep::Version& expected_version,
    const pep::Target* target
);

struct SealRequest {
    std::filesystem::path raw;
    std::filesystem::path folder;   ///< where the sealed wheel is written, under its own name
    std::string expected_name;      ///< normalised
    pep::Version expected_version;  ///< a local part added by the build is accepted
    const pep::Target* target = nullptr;
    unsigned build_tag = 0;  ///< number in file name and WHEEL; 0: as the backend left it
    /// {path below .dist-info, content}: SBOM, build record. A member of the same name below
    /// sboms/ or wheelforge/ is replaced; any other clash is an Error{bug} "seal-clash".
    std::vector<std::pair<std::string, std::string>> extra_files;
};

struct SealedWheel {
    std::filesystem::path path;
    std::string filename;
    pep::Version version;  ///< as built (may have a local part)
    std::string sha256;
    std::string payload;  ///< payload_digest
    pep::Metadata metadata;
    std::vector<Finding> findings;  ///< structure, name, version and tag checks
};

/// Checks and seals. With error findings nothing is written and `path` is empty. Equal files in
/// the raw wheel (and equal compressed bytes) give equal bytes, whatever the times and the order
/// of its members: those are dropped, and folders and signatures of the old RECORD with them.
[[nodiscard]] SealedWheel seal(const SealRequest& request);
/// The same with what examine() found in `request.raw`, which is not hashed again.
[[nodiscard]] SealedWheel seal(const SealRequest& request, const RawWheelFacts& facts);

}  // namespace wheelforge::wheel
