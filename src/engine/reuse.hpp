// SPDX-License-Identifier: Apache-2.0
// Whether a wheel that exists will do instead of a build, and whether the result may take the name
// of a wheel that is published already. Both are decided before anything is built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/build_task.hpp"
#include "store/store.hpp"

namespace wheelforge::engine {

/// The strong ones among build_inputs(): all but the wheels of the build environment that the
/// wheel does not have to match (EnvironmentWheel). Their key finds wheels that differ by tools
/// alone.
[[nodiscard]] store::Inputs
strong_inputs(const BuildTask& task, const std::vector<std::string>& dynamic_requires);

struct Reuse {
    store::Entry entry;
    std::vector<std::string> drift;  ///< in words: weak inputs that would be others today
};

/// By the build key; else as the task's policy allows: by the strong key, or the wheel that this
/// output folder has already. The dynamic requirements must be known.
[[nodiscard]] std::optional<Reuse> find_reusable(const BuildTask& task, const store::Store& store);

/// What happens when a wheel from the inputs of `key` is to be published where another one of the
/// same name, version and build tag was published by a complete run: nullopt when that one has the
/// same inputs, is gone or damaged, or may be replaced.
[[nodiscard]] std::optional<Failure>
refuse_other_inputs(const BuildTask& task, const store::Inputs& inputs);
/// The same for the finished wheel, which from the same inputs may still have other bytes. The
/// dynamic requirements must be known.
[[nodiscard]] std::optional<Failure>
refuse_other_bytes(const BuildTask& task, const store::Entry& entry);
/// Why a wheel that exists must not be taken instead of a build: what refuse_other_bytes() says, or
/// it does not stand up to what this run asks of its wheels (engine/judgement.hpp).
[[nodiscard]] std::optional<Failure>
refuse_reuse(const BuildTask& task, const store::Entry& entry, const store::Store& store);

}  // namespace wheelforge::engine
