// SPDX-License-Identifier: Apache-2.0
#include "fuzz/whole_file.hpp"
#include <map>
#include <string>

#include "wheel/verify/path_leaks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wheelforge::fuzz::inspect("lib.so", data, size);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(
        wheelforge::wheel::find_path_leaks("lib.so", wheelforge::wheel::ByteView(bytes), {"/build"})
    );
    return 0;
}
