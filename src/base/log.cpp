// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/text.hpp"

namespace wheelforge::log {

namespace {

Level level_from_environment() {
    const char* variable = std::getenv("WHEELFORGE_LOG");
    const std::string_view name = variable == nullptr ? "" : variable;
    if (name == "trace") {
        return Level::trace;
    }
    if (name == "debug") {
        return Level::debug;
    }
    return name == "info" ? Level::info : Level::off;
}

std::atomic<Level>& current_level() {
    static std::atomic<Level> level{level_from_environment()};
    return level;
}

spdlog::logger& logger() {
    // Never destroyed: threads may still write while the program ends.
    static spdlog::logger& instance = [&]() -> spdlog::logger& {
        auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
        auto* made = new spdlog::logger("wheelforge", std::move(sink));
        made->set_level(spdlog::level::trace);
        made->set_pattern("%H:%M:%S.%e %l [%t] %v");
        return *made;
    }();
    return instance;
}

spdlog::level::level_enum spdlog_level(Level level) {
    switch (level) {
    case Level::off:
        return spdlog::level::off;
    case Level::info:
        return spdlog::level::info;
    case Level::debug:
        return spdlog::level::debug;
    case Level::trace:
        break;
    }
    return spdlog::level::trace;
}

}  // namespace

void set_level(Level level) {
    current_level() = level;
}

bool enabled(Level level) noexcept {
    return level != Level::off && level <= current_level().load();
}

void write(Level level, std::string_view message) {
    if (enabled(level)) {
        // As an argument: a message may contain braces.
        logger().log(spdlog_level(level), "{}", printable(message));
    }
}

}  // namespace wheelforge::log
