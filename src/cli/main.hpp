// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wheelforge::cli {

/// The whole program; returns the exit code (docs/cli.md). Catches everything.
int main(int argc, char** argv);

}  // namespace wheelforge::cli
