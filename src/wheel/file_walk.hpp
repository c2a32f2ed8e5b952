// SPDX-License-Identifier: Apache-2.0
// The files of a wheel, a source archive, a folder, or a single file, one after another, each in
// one piece and in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/zip.hpp"
#include "wheel/byte_view.hpp"

namespace wheelforge::wheel {

struct WalkedFile {
    std::string name;  ///< in its archive or folder; for a single file the path as given
    std::uint64_t size = 0;
};

struct FileWalk {
    /// Whether a file is worth reading; unwanted ones are not even decompressed.
    std::function<bool(const WalkedFile&)> wanted;
    std::function<void(const WalkedFile&, ByteView)> visit;
};

/// Whether `path` is read as a container of files (by content for files), not as one file.
[[nodiscard]] bool is_container(const std::filesystem::path& path);

/// Throws Error: "zip-*", "archive-*" (refused), "cannot-read" (surroundings), "file-not-found"
/// (usage).
void walk_files(const std::filesystem::path& path, const FileWalk& walk);

/// The same over a zip file that is open already.
void walk_zip(const ZipReader& zip, const FileWalk& walk);

/// Whether a name promises text (sources, documentation, tables): such files hold no device code.
[[nodiscard]] bool is_text_name(std::string_view name) noexcept;

}  // namespace wheelforge::wheel
