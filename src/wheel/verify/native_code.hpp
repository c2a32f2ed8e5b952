// SPDX-License-Identifier: Apache-2.0
// Whether a build compiled for the CPU of the machine it ran on: such a wheel ends with an illegal
// instruction on an older one, and comes out differently on every host.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

namespace wheelforge::wheel {

/// A compiler option for the building machine's own CPU, and where it stands.
struct NativeOption {
    std::string option;  ///< "-march=native"
    std::string file;    ///< below the folder it was found in; empty for the log
    int line = 0;        ///< from 1
};

/// The first in a build log, in a line that calls a compiler: what a compiler could do does not
/// count.
[[nodiscard]] std::optional<NativeOption> native_option_in_log(std::istream& log);
/// The first in what CMake and meson leave below a folder: build.ninja, flags.make,
/// compile_commands.json. Links are not followed; what cannot be read is passed over.
[[nodiscard]] std::optional<NativeOption>
native_option_in_build_files(const std::filesystem::path& folder);

}  // namespace wheelforge::wheel
