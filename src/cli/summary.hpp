// SPDX-License-Identifier: Apache-2.0
// What stands at the end of a run: the table on stdout, failures with their cause on stderr.
#pragma once

#include <filesystem>

#include "engine/report.hpp"

namespace wheelforge::cli {

/// @param output  the output folder as the user named it, in front of every path
void print_summary(const engine::Report& report, const std::filesystem::path& output);

/// Of a run as a whole.
void print_failure(const engine::Failure& failure);

/// On stderr only: what failed and why, and the first thing to do.
void print_failures(const engine::Report& report, const std::filesystem::path& output);

}  // namespace wheelforge::cli
