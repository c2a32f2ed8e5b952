// SPDX-License-Identifier: Apache-2.0
// A tree of settings and patches, read as a whole: everything that is wrong with it, in one go.
#pragma once

#include <string>
#include <vector>

#include "config/requirements_file.hpp"
#include "config/settings.hpp"

namespace wheelforge::config {

struct LintFinding {
    std::string id;
    bool is_error = true;
    std::string message;  ///< begins with the place
    std::vector<std::string> advice;
};

struct LintRequest {
    Settings::Sources sources;                 ///< variant_keys are not used
    std::vector<RequirementLine> constraints;  ///< pins that patches are compared with
    std::vector<std::string> known_variants;
};

/// Keys, values and templates of every variant the files name; names as Fromager finds them;
/// patches for other versions than the pinned ones, and those that no variant applies. Errors
/// first, each once.
[[nodiscard]] std::vector<LintFinding> lint(const LintRequest& request);

}  // namespace wheelforge::config
