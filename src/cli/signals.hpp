// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM as a stop token. A second signal ends the program at once (children die with
// it).
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace wheelforge::cli {

class SignalWatch {
public:
    /// Blocks SIGINT and SIGTERM for this thread and those it starts; a thread of its own waits
    /// for them.
    SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch();
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    /// 0, SIGINT or SIGTERM.
    [[nodiscard]] int caught() const noexcept { return caught_; }

private:
    void wait();
    std::stop_source source_;
    int wake_ = -1;
    int signals_ = -1;
    std::atomic<int> caught_ = 0;
    std::thread thread_;
};

}  // namespace wheelforge::cli
