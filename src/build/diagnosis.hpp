// SPDX-License-Identifier: Apache-2.0
// From the end of a failed build's log to a cause and what to do, by signatures that are data
// (src/build/signatures.yaml): missing header or program with apt and dnf names, undeclared build
// dependency, no network, out of memory, no space.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wheelforge::build {

struct Diagnosis {
    std::string id;        ///< "missing-header"
    std::string cause;     ///< "the header yaml.h is missing"
    std::string advice;    ///< "apt-get install libyaml-dev, or dnf install libyaml-devel"
    std::string evidence;  ///< the line of the log
};

/// @param log_tail   the last part of the log (see log_tail)
/// @param exit_code  of the hook, 137 counts as killed
[[nodiscard]] std::optional<Diagnosis> diagnose(std::string_view log_tail, int exit_code);

/// The last `bytes` of a log, from a line start, invalid UTF-8 escaped. Reads only that much.
[[nodiscard]] std::string
log_tail(const std::filesystem::path& log, std::size_t bytes = 64U << 10U);
/// The last `count` non-empty lines of a tail.
[[nodiscard]] std::vector<std::string> last_lines(std::string_view tail, std::size_t count);

}  // namespace wheelforge::build
