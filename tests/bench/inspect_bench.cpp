// SPDX-License-Identifier: Apache-2.0
// Reads what it is given several times: prints the least time in seconds and the number of kernels,
// each counted per file and architecture. It is the processor's time, of one thread: what else the
// machine does is not measured.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <string>

#include "wheel/inspect.hpp"

namespace {

double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int rounds = 5;
    if (argc != 2) {
        std::cerr << "usage: bench_inspect PATH\n";
        return 2;
    }
    double best = 1e9;
    std::size_t kernels = 0;
    for (int round = 0; round < rounds; ++round) {
        const double started = processor_seconds();
        const auto report = wheelforge::wheel::inspect_path(argv[1]);
        best = std::min(best, processor_seconds() - started);
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
