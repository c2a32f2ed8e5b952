// SPDX-License-Identifier: Apache-2.0
// Whether a wheel has anything to do with an accelerator, judged by what its files hold and use.
#pragma once

#include <string>

#include "wheel/verify/subject.hpp"

namespace wheelforge::wheel {

/// Why we think so, for a text ("needs libamdhip64.so.7"); "" if nothing says it.
[[nodiscard]] std::string accelerator_sign(const Subject& subject);

}  // namespace wheelforge::wheel
