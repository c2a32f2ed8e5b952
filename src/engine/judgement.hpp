// SPDX-License-Identifier: Apache-2.0
// What a run asks of every wheel before it stands in its output: when the wheel was just built, and
// when one that exists is taken instead. What is asked (variant, architectures, policy) is no input
// of a build, so a wheel that served one run may be refused by the next one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/build_task.hpp"
#include "store/store.hpp"
#include "wheel/seal.hpp"

namespace wheelforge::engine {

/// Adds what verification (docs/verify.md) and a look at the tree find to what sealing found.
void judge_built(const BuildTask& task, const plugin::RawWheel& raw, wheel::SealedWheel& sealed);

/// Copies a wheel that is refused to where the user can look at it.
void set_aside(const BuildTask& task, const std::filesystem::path& wheel);

/// That the wheel stood up to what this task asks: refuse_unfit() will not look at it again.
void remember_fit(const BuildTask& task, const store::Entry& entry, const store::Store& store);

/// Why a wheel of the store does not stand up to what this task asks. What only its build could
/// show is known from its record. The wheel is set aside then, and stays in the store for others.
[[nodiscard]] std::optional<Failure>
refuse_unfit(const BuildTask& task, const store::Entry& entry, const store::Store& store);

/// What a wheel that nobody builds here lacks for the variant's devices and target. The user chose
/// it, so nothing is worse than a warning where the policy does not say so.
/// @param name  normalised
/// @param sha256  of the wheel; what was found is remembered by it
[[nodiscard]] std::vector<wheel::Finding> judge_prebuilt(
    const Judgement& judgement,
    const std::string& name,
    const std::filesystem::path& wheel,
    const std::string& sha256,
    const store::Store& store
);

}  // namespace wheelforge::engine
