// SPDX-License-Identifier: Apache-2.0
// Short ways to read bytes and to look at what a reader found.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/inspect.hpp"

namespace wheelforge::wheel {

[[nodiscard]] inline FileReport read_file_of(std::string_view path, std::string_view bytes) {
    auto report = inspect_bytes(path, ByteView(bytes));
    if (!report) {
        throw std::runtime_error(std::string(path) + " is of no known kind");
    }
    return *report;
}

/// The entry for an arch; throws if there is none.
[[nodiscard]] inline const DeviceCode& code_for(const FileReport& file, std::string_view arch) {
    for (const DeviceCode& code : file.device.code) {
        if (code.arch == arch) {
            return code;
        }
    }
    throw std::runtime_error("no code for " + std::string(arch));
}

[[nodiscard]] inline std::vector<std::string> archs_of(const FileReport& file) {
    std::vector<std::string> archs;
    for (const DeviceCode& code : file.device.code) {
        archs.push_back(code.arch);
    }
    return archs;
}

[[nodiscard]] inline std::vector<std::string> kernels_of(const DeviceCode& code) {
    std::vector<std::string> names;
    for (const auto& [name, body] : code.kernels) {
        names.push_back(name);
    }
    return names;
}

/// All errors, one a line.
[[nodiscard]] inline std::string errors_of(const FileReport& file) {
    std::string text;
    for (const std::string& error : file.device.errors) {
        text += error + "\n";
    }
    return text;
}

}  // namespace wheelforge::wheel
