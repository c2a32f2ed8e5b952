// SPDX-License-Identifier: Apache-2.0
#include "fuzz/whole_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wheelforge::fuzz::inspect("k.hsaco", data, size);
    return 0;
}
