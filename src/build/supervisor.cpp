// SPDX-License-Identifier: Apache-2.0
#include "build/supervisor.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>

namespace wheelforge::build {
namespace {

/// Kills the children that the kernel lists in one read; those beyond come in the next round.
void kill_children() noexcept {
    const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) {
        return;
    }
    std::array<char, 4096> text{};
    const ssize_t size = ::read(list, text.data(), text.size());
    ::close(list);
    pid_t number = 0;
    for (ssize_t i = 0; i < size; ++i) {
        const char c = text[static_cast<std::size_t>(i)];
        if (c >= '0' && c <= '9') {
            number = number * 10 + (c - '0');
        } else if (number > 0) {
            ::kill(number, SIGKILL);
            number = 0;
        }
    }
}

/// What a killed process leaves becomes our child in turn, until nothing is left.
void end_all_children() noexcept {
    constexpr int most_rounds = 10'000;
    for (int round = 0; round < most_rounds; ++round) {
        kill_children();
        if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) {
            return;
        }
        constexpr timespec moment{0, 1'000'000};
        nanosleep(&moment, nullptr);
    }
}

[[noreturn]] void end_as(int status) noexcept {
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        ::signal(number, SIG_DFL);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::kill(::getpid(), number);
        ::_exit(128 + number);
    }
    ::_exit(WEXITSTATUS(status));
}

[[noreturn]] void watch(pid_t program) noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);  // signals to the group are for the program
    ::syscall(SYS_close_range, 0U, UINT_MAX, 0U);
    int status = 0;
    while (true) {
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended == program || (ended < 0 && errno != EINTR)) {
            break;
        }
    }
    end_all_children();
    end_as(status);
}

}  // namespace

int supervise() noexcept {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
        return errno;
    }
    const pid_t supervisor = ::getpid();
    const pid_t program = ::fork();
    if (program < 0) {
        return errno;
    }
    if (program > 0) {
        watch(program);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return ::getppid() == supervisor ? 0 : ESRCH;
}

}  // namespace wheelforge::build
