// SPDX-License-Identifier: Apache-2.0
#include "wheel/finding.hpp"

#include <algorithm>

namespace wheelforge::wheel {

std::string_view level_name(Level level) noexcept {
    switch (level) {
    case Level::off:
        return "off";
    case Level::info:
        return "info";
    case Level::warn:
        return "warn";
    case Level::error:
        return "error";
    }
    return "error";
}

bool has_errors(const std::vector<Finding>& findings) noexcept {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.level == Level::error;
    });
}

}  // namespace wheelforge::wheel
