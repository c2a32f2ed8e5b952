// SPDX-License-Identifier: Apache-2.0
// A distribution unpacked for a person to look at, by the rules and with the code that builds use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wheelforge::plugin {

struct UnpackLimits {
    std::optional<std::uint64_t> bytes;  ///< unpacked; nullopt: as for builds
    std::optional<std::uint64_t> files;
};

struct Unpacked {
    std::filesystem::path tree;  ///< the sdist's root folder below `folder`; `folder` for a wheel
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> notices;  ///< odd but accepted, a line each
};

/// An sdist becomes `folder`/NAME-VERSION/..., a wheel's members stand right below `folder`. That
/// appears when everything is there; after a refusal it does not exist (or is as empty as it was).
/// Throws Error{refused} "archive-*", "zip-*", "sdist-*", "bad-wheel"; Error{usage}
/// "folder-not-empty".
[[nodiscard]] Unpacked unpack_distribution(
    const std::filesystem::path& archive,
    const std::filesystem::path& folder,
    const UnpackLimits& limits
);

}  // namespace wheelforge::plugin
