// SPDX-License-Identifier: Apache-2.0
// Zip files are mapped from disk: the input goes through a file of its own.
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "base/error.hpp"
#include "base/zip.hpp"
#include "wheel/spool.hpp"

namespace {

std::filesystem::path scratch_file() {
    static const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("wheelforge-fuzz-" + std::to_string(::getpid()));
    return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path path = scratch_file();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        wheelforge::ZipLimits limits;
        limits.unpacked_bytes = 64U << 20U;
        const wheelforge::ZipReader zip(path, limits);
        for (const wheelforge::ZipMember& member : zip.members()) {
            static_cast<void>(wheelforge::wheel::Spool::member(zip, member).bytes());
        }
    } catch (const wheelforge::Error&) {
        std::filesystem::remove(path);
        return 0;
    }
    std::filesystem::remove(path);
    return 0;
}
