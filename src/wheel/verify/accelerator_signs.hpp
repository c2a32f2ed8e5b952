// SPDX-License-Identifier: Apache-2.0
// Whether a wheel has anything to do with an accelerator, judged by what its files hold and use.
#pragma once

#include <string>
#include <string_view>

#include "wheel/verify/subject.hpp"

namespace wheelforge::wheel {

/// Why we think so, for a text ("needs libamdhip64.so.7"); "" if nothing says it.
[[nodiscard]] std::string accelerator_sign(const Subject& subject);

/// The accelerator a file is for: "cuda", "rocm", "xpu", ...; "" for none.
[[nodiscard]] std::string accelerator_of(const FileReport& file);

/// Whether a wheel holds files for several accelerators and chooses among them when it is imported.
[[nodiscard]] bool has_alternatives(const Subject& subject);

[[nodiscard]] bool has_files_for(const Subject& subject, std::string_view accelerator);

}  // namespace wheelforge::wheel
