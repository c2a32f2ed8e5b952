// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.hpp"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/error.hpp"

namespace wheelforge::cli {
namespace {

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

}  // namespace

SignalWatch::SignalWatch() {
    const auto set = ending_signals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
    wake_ = ::eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || wake_ < 0) {
        throw Error(ExitCode::surroundings, "cannot-start", "no descriptors left to watch signals");
    }
    thread_ = std::thread([this] { wait(); });
}

SignalWatch::~SignalWatch() {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) == sizeof one) {
        thread_.join();
    } else {
        thread_.detach();
    }
    ::close(signals_);
    ::close(wake_);
    const auto set = ending_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void SignalWatch::wait() {
    pollfd watched[] = {{signals_, POLLIN, 0}, {wake_, POLLIN, 0}};
    while (true) {
        if (::poll(watched, 2, -1) < 0) {
            continue;
        }
        if ((watched[1].revents & POLLIN) != 0) {
            return;
        }
        signalfd_siginfo info{};
        if (::read(signals_, &info, sizeof info) != sizeof info) {
            continue;
        }
        const int number = static_cast<int>(info.ssi_signo);
        if (caught_.exchange(number) != 0) {
            ::_exit(128 + number);  // the user means it; all state on disk is whole at any instant
        }
        source_.request_stop();
    }
}

}  // namespace wheelforge::cli
