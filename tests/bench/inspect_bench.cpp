// SPDX-License-Identifier: Apache-2.0
// Reads what it is given several times: prints the best wall time in seconds and the number of
// kernels, each counted per file and architecture.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>

#include "wheel/inspect.hpp"

int main(int argc, char** argv) {
    using Clock = std::chrono::steady_clock;
    constexpr int rounds = 5;
    if (argc != 2) {
        std::cerr << "usage: bench_inspect PATH\n";
        return 2;
    }
    double best = 1e9;
    std::size_t kernels = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto started = Clock::now();
        const auto report = wheelforge::wheel::inspect_path(argv[1]);
        const std::chrono::duration<double> taken = Clock::now() - started;
        best = std::min(best, taken.count());
        kernels = 0;
        for (const auto& file : report.files) {
            for (const auto& code : file.device.code) {
                kernels += code.kernels.size();
            }
        }
    }
    std::cout << best << " " << kernels << "\n";
    return 0;
}
