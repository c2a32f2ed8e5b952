// SPDX-License-Identifier: Apache-2.0
// Whether a version that no index has is a tag of the project's repository. Internal to check.
#pragma once

#include <stop_token>
#include <vector>

#include "engine/check.hpp"

namespace wheelforge::engine {

/// Asks the repositories that plugins and settings declare (`git ls-remote`, several at once, each
/// for seconds at most) and adds what they say to the advice of findings that need git.
void ask_for_tags(
    std::vector<CheckFinding>& findings, const BootstrapRequest& request, std::stop_token stop
);

}  // namespace wheelforge::engine
