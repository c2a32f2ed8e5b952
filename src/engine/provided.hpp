// SPDX-License-Identifier: Apache-2.0
// Distributions that somebody else installed: those of a container image's environment
// (--host-environment) and those a variant says where to find (`provided:`). They are solved with,
// become nodes of the graph and parts of build environments; they are never rebuilt nor published.
#pragma once

#include <string>
#include <vector>

#include "engine/request.hpp"

namespace wheelforge::engine {

/// Completes a request: each distribution is the only version of its name, taken as a wheel that is
/// packed from what is installed, and counts as provided by the variant.
/// @param folders  --host-environment, in order; the first that has a name counts
/// Throws Error{usage} "host-environment", "host-distribution".
void add_provided(BootstrapRequest& request, const std::vector<std::string>& folders);

/// Whether the request has it from elsewhere, so that it is not shipped.
[[nodiscard]] bool is_provided(const BootstrapRequest& request, const std::string& name);

}  // namespace wheelforge::engine
