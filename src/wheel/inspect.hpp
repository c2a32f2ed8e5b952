// SPDX-License-Identifier: Apache-2.0
// `wheelforge inspect`: what device code and which ELF facts a file holds, or the files of a wheel,
// a source archive or a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/byte_view.hpp"
#include "wheel/device/device_code.hpp"
#include "wheel/elf_facts.hpp"

namespace wheelforge::wheel {

struct FileReport {
    std::string path;     ///< inside `archive`; the path as given for a file of its own
    std::string archive;  ///< "" for a file of its own
    std::uint64_t size = 0;
    DeviceReport device;
    std::optional<ElfFacts> elf;  ///< host ELF files only
};

struct InspectReport {
    std::vector<FileReport> files;
    [[nodiscard]] bool has_errors() const noexcept;
};

/// Reads one file by its content; nullopt if there is nothing to say about it. Never throws for
/// what the bytes are: what cannot be read stands in `device.errors`.
[[nodiscard]] std::optional<FileReport>
inspect_bytes(std::string_view path, ByteView bytes, Digests digests = Digests::compared);

/// The same for host ELF files alone and without their device code.
[[nodiscard]] std::optional<FileReport> inspect_library(std::string_view path, ByteView bytes);

/// Whether inspect_bytes could have anything to say about a file of this name.
[[nodiscard]] bool worth_inspecting(std::string_view path) noexcept;

/// Reads a wheel, source archive, folder or single file. An archive that is refused gives one entry
/// with the error. Digests are ignored. Throws Error only for surroundings and for a path that is
/// not there.
[[nodiscard]] InspectReport inspect_path(const std::filesystem::path& path);

/// JSON as docs/formats/inspect.schema.json says; `weights` adds bytes per section and arch.
[[nodiscard]] std::string inspect_json(const InspectReport& report, bool weights);
/// A table for people.
[[nodiscard]] std::string inspect_table(const InspectReport& report, bool weights);

}  // namespace wheelforge::wheel
