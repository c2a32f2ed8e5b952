// SPDX-License-Identifier: Apache-2.0
// A policy file: expectations and levels per package. Whoever lowers or raises a level says why.
//
//   packages:
//     vllm:
//       kernels: required
//       levels:
//         empty-kernel: {level: off, because: branches for other archs are compiled away by design}
//     "*":
//       levels:
//         relro: {level: error, because: our hardening policy}
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "wheel/finding.hpp"
#include "wheel/verify/expectation.hpp"

namespace wheelforge::wheel {

struct LevelOverride {
    Level level = Level::error;
    std::string because;
    std::string origin;
};

struct PackagePolicy {
    PackageExpectation expectation;
    std::map<std::string, LevelOverride, std::less<>> levels;  ///< by check id, or "group-*"
};

struct Policy {
    std::map<std::string, PackagePolicy, std::less<>> packages;  ///< by normalised name, or "*"
    std::string text;  ///< as written, which stands for all of it; "" if there is none

    /// The override for a check of a package: its own before that of "*".
    [[nodiscard]] const LevelOverride* level(std::string_view package, std::string_view id) const;
    [[nodiscard]] const PackageExpectation* expectation(std::string_view package) const;
};

/// Throws Error{usage}: "bad-yaml", "bad-value", "unknown-key", "unknown-id".
[[nodiscard]] Policy load_policy(const std::filesystem::path& path);
[[nodiscard]] Policy parse_policy(std::string_view text, const std::string& file);

}  // namespace wheelforge::wheel
