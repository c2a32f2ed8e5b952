// SPDX-License-Identifier: Apache-2.0
// NAME or NAME==VERSION on the command line, beside the inputs that bootstrap takes.
#pragma once

#include <string>
#include <utility>

#include "cli/inputs.hpp"
#include "engine/one_package.hpp"

namespace wheelforge::cli {

/// Throws Error{usage} "bad-package" for anything else (a range, extras, a marker).
[[nodiscard]] engine::OnePackage parse_package(const std::string& word);

/// The set the package is taken from: that of the files named, that of wheelforge.yaml, or the
/// package alone.
[[nodiscard]] engine::BootstrapRequest
make_request_for(const std::string& word, InputOptions options);

}  // namespace wheelforge::cli
