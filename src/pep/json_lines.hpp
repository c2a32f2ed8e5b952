// SPDX-License-Identifier: Apache-2.0
// The packaging semantics as a filter of JSON lines: `wheelforge pep KIND`. The shapes of questions
// and answers stand in docs/pep.md and docs/formats/pep.schema.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::pep {

/// The kinds of question, in the order of the documentation.
[[nodiscard]] std::vector<std::string_view> json_line_kinds();

/// Answers one question, on one line without a newline. Total: what is wrong with the question -
/// even that it is no JSON - is the answer {"ok": false, "error": ..., "offset": ...}.
[[nodiscard]] std::string answer_json_line(std::string_view kind, std::string_view line);

}  // namespace wheelforge::pep
