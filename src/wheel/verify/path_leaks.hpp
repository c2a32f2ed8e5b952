// SPDX-License-Identifier: Apache-2.0
// Paths of build machines inside files: in string sections of ELF files, in PTX and in text.
#pragma once

#include <string>
#include <vector>

#include "wheel/inspect.hpp"
#include "wheel/verify/subject.hpp"

namespace wheelforge::wheel {

/// Looks for `private_paths` everywhere, and in ELF files also for folders that build machines
/// use (CI workspaces, homes, temporary folders). At most a few per file.
[[nodiscard]] std::vector<PathLeak> find_path_leaks(
    const std::string& file, ByteView bytes, const std::vector<std::string>& private_paths
);
/// The same in notes that device code carries.
[[nodiscard]] std::vector<PathLeak>
find_note_leaks(const FileReport& report, const std::vector<std::string>& private_paths);

}  // namespace wheelforge::wheel
