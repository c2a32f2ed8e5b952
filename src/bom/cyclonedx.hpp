// SPDX-License-Identifier: Apache-2.0
// CycloneDX 1.6 (ECMA-424) for one wheel, placed in the wheel by PEP 770. Time and serial number
// are derived from the inputs, so the same build gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wheelforge::bom {

struct BomComponent {
    std::string name;
    std::string version;
    std::string sha256;     ///< of the file, "" if unknown
    bool provided = false;  ///< installed by others, used as it was
};

struct WheelBom {
    std::string name;                ///< normalised
    std::string version;             ///< as built; a local part is percent-encoded in the purl
    std::string license_expression;  ///< SPDX, "" if unknown
    std::string license_text;        ///< old License field, "" if none
    std::string supplier_note;
    std::string description;
    std::string build_key;       ///< gives the serial number (UUIDv5)
    std::int64_t timestamp = 0;  ///< SOURCE_DATE_EPOCH
    std::string tool_version;
    BomComponent source;     ///< the sdist the wheel was made from (pedigree.ancestors)
    std::string source_url;  ///< without credentials
    std::vector<BomComponent> requires_;    ///< runtime pins this wheel requires
    std::vector<BomComponent> build_tools;  ///< scope excluded
};

/// Indented JSON, stable order.
[[nodiscard]] std::string cyclonedx_json(const WheelBom& bom);
/// "pkg:pypi/name@1.0%2Bcpu".
[[nodiscard]] std::string purl(std::string_view name, std::string_view version);

}  // namespace wheelforge::bom
