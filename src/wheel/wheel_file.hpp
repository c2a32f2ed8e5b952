// SPDX-License-Identifier: Apache-2.0
// A wheel opened for reading (PEP 427, 376): its members, its .dist-info and what it says.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/zip.hpp"
#include "pep/filename.hpp"
#include "pep/metadata.hpp"
#include "wheel/finding.hpp"

namespace wheelforge::wheel {

struct RecordEntry {
    std::string path;
    std::string algorithm;  ///< "sha256", "" if none
    std::string digest;     ///< urlsafe base64 without padding
    std::string size;       ///< as written
};

/// Fields of .dist-info/WHEEL.
struct WheelInfo {
    std::string wheel_version;
    std::string generator;
    bool root_is_purelib = true;
    std::vector<std::string> tags;  ///< "py3-none-any"
    std::string build;
};

class WheelFile {
public:
    /// Throws Error{refused} "zip-*" or "bad-wheel" (no or two .dist-info, unreadable METADATA or
    /// WHEEL, Wheel-Version 2, file name that does not parse).
    explicit WheelFile(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] const pep::WheelFilename& filename() const noexcept { return filename_; }
    [[nodiscard]] const ZipReader& zip() const noexcept { return zip_; }
    [[nodiscard]] const std::string& dist_info() const noexcept {
        return dist_info_;
    }  ///< folder name
    [[nodiscard]] const pep::Metadata& metadata() const noexcept { return metadata_; }
    [[nodiscard]] const std::string& metadata_text() const noexcept { return metadata_text_; }
    [[nodiscard]] const WheelInfo& info() const noexcept { return info_; }
    /// nullopt without RECORD.
    [[nodiscard]] std::optional<std::vector<RecordEntry>> record() const;
    /// console_scripts and gui_scripts: name -> "module:attr".
    [[nodiscard]] std::map<std::string, std::string> entry_point_scripts() const;

private:
    std::filesystem::path path_;
    pep::WheelFilename filename_;
    ZipReader zip_;
    std::string dist_info_;
    pep::Metadata metadata_;
    std::string metadata_text_;
    WheelInfo info_;
};

/// CSV of RECORD.
[[nodiscard]] std::vector<RecordEntry> parse_record(std::string_view text);
[[nodiscard]] std::string unhashed_record_line(std::string_view path);  ///< RECORD's own
[[nodiscard]] std::string
record_line(std::string_view path, std::string_view hex_sha256, std::uint64_t size);

/// Hash over the sorted (path, sha256, executable bit) of the members, without RECORD (and its
/// signatures), `.dist-info/sboms/` and `.dist-info/wheelforge/`: what an installed file could
/// tell apart. Lower-case hex sha256.
[[nodiscard]] std::string payload_digest(const WheelFile& wheel);

/// Structural checks on any wheel: record, metadata against file name, tags against WHEEL,
/// .data keys, entry point names. Findings: record-*, metadata-*, tag-*, data-*, entry-point-*.
[[nodiscard]] std::vector<Finding> check_structure(const WheelFile& wheel);

}  // namespace wheelforge::wheel
