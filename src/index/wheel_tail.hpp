// SPDX-License-Identifier: Apache-2.0
// METADATA out of a wheel of which only the end is here: the central directory says where the
// member lies, and the rest is asked for piece by piece. What comes out is an estimate until the
// whole file has been checked against its hash.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge::index {

/// A file of which the last bytes are at hand and any others can be asked for.
struct PartialFile {
    std::uint64_t size = 0;
    std::string tail;  ///< its last tail.size() bytes
    /// Exactly `length` bytes from `offset`, or nullopt if they cannot be had.
    std::function<std::optional<std::string>(std::uint64_t offset, std::uint64_t length)> fetch;
    /// From the tail where it holds them, else fetched. nullopt also out of the file.
    [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const;
};

inline constexpr std::uint64_t max_metadata_bytes = 16U << 20U;

/// The content of `<name>-<version>.dist-info/METADATA`; nullopt if the file is no zip that we can
/// read this way (the caller then fetches it whole, and the full checks speak).
/// @param written_prefix  "name-version" as in the wheel's file name, compared normalised
[[nodiscard]] std::optional<std::string>
read_wheel_metadata(const PartialFile& file, std::string_view written_prefix);

}  // namespace wheelforge::index
