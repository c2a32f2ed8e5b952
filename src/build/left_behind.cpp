// SPDX-License-Identifier: Apache-2.0
#include "build/left_behind.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace wheelforge::build {
namespace {

bool has_line(pid_t process, const std::string& line) {
    std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return ('\0' + text).find('\0' + line + '\0') != std::string::npos;
}

/// The descriptor keeps the number from being given to somebody else in between.
bool kill_if_ours(pid_t process, const std::string& line) {
    const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    return handle.valid() && has_line(process, line)
           && ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0) == 0;
}

bool kill_once(const std::string& line) {
    bool any = false;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        pid_t process = 0;
        const auto number = std::from_chars(name.data(), name.data() + name.size(), process);
        if (number.ec == std::errc() && number.ptr == name.data() + name.size()
            && process != ::getpid()) {
            any = kill_if_ours(process, line) || any;
        }
    }
    return any;
}

}  // namespace

void kill_left_behind(const std::string& environment_line) {
    constexpr int rounds = 5;  // a killed one may have forked just before
    for (int i = 0; i < rounds && kill_once(environment_line); ++i) {
    }
}

}  // namespace wheelforge::build
