// SPDX-License-Identifier: Apache-2.0
#include "cli/main.hpp"

int main(int argc, char** argv) {
    return wheelforge::cli::main(argc, argv);
}
