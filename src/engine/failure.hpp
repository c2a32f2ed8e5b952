// SPDX-License-Identifier: Apache-2.0
// Making a Failure, the data, out of what the layers below say.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "engine/job.hpp"
#include "resolve/conflict.hpp"

namespace wheelforge::engine {

/// Of an Error with its id, code and advice; anything else is a bug of ours.
[[nodiscard]] Failure failure_from(const std::exception_ptr& failure);
[[nodiscard]] Failure failure_of_conflict(const resolve::Conflict& conflict);
/// Distributions each of which needs the next one to be built, and the last one the first.
[[nodiscard]] Failure ring_failure(const std::vector<plugin::PackageId>& ring);
/// @param what  "the wheel that was built", "the pre-built wheel x.whl"
[[nodiscard]] Failure refusal_of(std::vector<wheel::Finding> findings, const std::string& what);
/// As an Error, to be shown by whoever ends the run.
[[nodiscard]] Error error_of(const Failure& failure);

}  // namespace wheelforge::engine
