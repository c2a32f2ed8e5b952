// SPDX-License-Identifier: Apache-2.0
// Whether a stack can be built, found out without building: the runtime set, every build scope,
// settings and a source for each. Everything that stands in the way is told in one go: after each
// finding the check goes on as if it were mended.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/job.hpp"
#include "engine/observer.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

struct CheckFinding {
    std::string id;       ///< docs/check.md
    bool blocks = true;   ///< stands in the way of building; else a warning
    std::string package;  ///< normalised name
    std::string origin;   ///< the line that says it: "constraints/rocm.txt:4", may be empty
    std::string message;
    std::vector<std::string> advice;
    /// What the line must say instead: "pre_built", "git", "version"; empty where that is open.
    std::string needs;
    std::string version;  ///< that the line pins, if it does
};

struct CheckedPackage {
    std::string name;
    std::string version;
    bool runtime = false;
    std::string source;  ///< sdist, wheel
};

struct CheckReport {
    std::string variant;
    std::string python;
    std::vector<CheckFinding> findings;    ///< those that block first, in the order of the inputs
    std::vector<CheckedPackage> packages;  ///< sorted; of the solution as if all were mended
    std::size_t build_scopes = 0;
    std::vector<std::string> notices;
    double seconds = 0;

    [[nodiscard]] std::size_t blocking() const;
    /// unsatisfiable when something blocks.
    [[nodiscard]] ExitCode exit_code() const;
};

/// Throws Error where the surroundings fail (index, disk) or `stop` was requested ("stopped").
[[nodiscard]] CheckReport check(BootstrapRequest request, Observer& observer, std::stop_token stop);

[[nodiscard]] std::string check_text(const CheckReport& report);
/// docs/formats/check.schema.json
[[nodiscard]] std::string check_json(const CheckReport& report);

}  // namespace wheelforge::engine
