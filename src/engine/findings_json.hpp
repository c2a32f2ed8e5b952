// SPDX-License-Identifier: Apache-2.0
// Findings in reports and records: docs/formats/report.schema.json, build-record.schema.json.
#pragma once

#include <vector>

#include "base/json.hpp"
#include "engine/json_place.hpp"
#include "wheel/finding.hpp"

namespace wheelforge::engine {

[[nodiscard]] Json findings_json(const std::vector<wheel::Finding>& findings);
/// One element of that. Throws WrongDocument.
[[nodiscard]] wheel::Finding read_finding(const JsonPlace& finding);

}  // namespace wheelforge::engine
