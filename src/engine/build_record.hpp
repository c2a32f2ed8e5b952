// SPDX-License-Identifier: Apache-2.0
// The build record (docs/formats/build-record.schema.json): what a wheel was made from, inside the
// wheel; and the same with what was measured, outside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/build_task.hpp"
#include "wheel/seal.hpp"

namespace wheelforge::engine {

/// Never before 1980, which zip files cannot express.
[[nodiscard]] std::int64_t source_date_epoch(std::int64_t newest_mtime) noexcept;

/// Deterministic: the same inputs give the same bytes.
[[nodiscard]] std::string build_record_json(
    const BuildTask& task,
    const wheel::RawWheelFacts& wheel,
    const store::Inputs& inputs,
    const plugin::Toolbox& tools,
    const plugin::RawWheel& raw
);
[[nodiscard]] std::string measured_record_json(
    const BuildTask& task,
    const std::string& build_record,
    const wheel::SealedWheel& wheel,
    const std::vector<plugin::StepMeasure>& steps
);

}  // namespace wheelforge::engine
