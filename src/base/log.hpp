// SPDX-License-Identifier: Apache-2.0
// Debug messages for developers (spdlog), apart from results, progress and build logs. Off unless
// WHEELFORGE_LOG=debug|trace or --verbose says otherwise; always on stderr.
#pragma once

#include <string_view>

namespace wheelforge::log {

enum class Level { off, info, debug, trace };
void set_level(Level level);
[[nodiscard]] bool enabled(Level level) noexcept;
void write(Level level, std::string_view message);
inline void debug(std::string_view message) {
    write(Level::debug, message);
}
inline void info(std::string_view message) {
    write(Level::info, message);
}

}  // namespace wheelforge::log
