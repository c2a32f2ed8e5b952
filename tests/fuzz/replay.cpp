// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over a folder of seeds without a fuzzer: each seed as it is, cut off at many
// places, and with single bytes flipped. A crash, a sanitizer's report or a timeout is the failure.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t variants_of_a_seed = 400;

void run(const std::string& bytes) {
    // A copy of exactly this size, so that a sanitizer sees a read behind the end.
    const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void run_variants(const std::string& seed) {
    run(seed);
    const std::size_t step = std::max<std::size_t>(1, seed.size() / variants_of_a_seed);
    for (std::size_t at = 0; at < seed.size(); at += step) {
        run(seed.substr(0, at));
        std::string flipped = seed;
        flipped[at] = static_cast<char>(~flipped[at]);
        run(flipped);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t seeds = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::ifstream file(entry.path(), std::ios::binary);
            run_variants({std::istreambuf_iterator<char>(file), {}});
            ++seeds;
        }
    }
    std::cout << "replayed " << seeds << " seeds\n";
    return seeds == 0 ? 1 : 0;
}
