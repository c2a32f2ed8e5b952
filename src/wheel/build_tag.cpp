// SPDX-License-Identifier: Apache-2.0
#include "wheel/build_tag.hpp"

#include "base/text.hpp"

namespace wheelforge::wheel {

std::string with_build_tag(const std::string& filename, unsigned number) {
    auto parts = split(filename, '-');
    constexpr std::size_t without_tag = 5;  // name, version, python, ABI, platform
    std::string name =
        std::string(parts[0]) + "-" + std::string(parts[1]) + "-" + std::to_string(number);
    for (std::size_t i = parts.size() > without_tag ? 3 : 2; i < parts.size(); ++i) {
        name += "-" + std::string(parts[i]);
    }
    return name;
}

std::string wheel_file_with_build(std::string_view text, unsigned number) {
    std::string out;
    for (const auto line : lines(text)) {
        if (line.starts_with("Build:")) {
            continue;
        }
        if (trim(line).empty()) {
            break;  // the header ends here, and nothing follows it in a WHEEL file
        }
        out += std::string(trim(line)) + "\n";
    }
    return out + "Build: " + std::to_string(number) + "\n";
}

}  // namespace wheelforge::wheel
