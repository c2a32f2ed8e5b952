// SPDX-License-Identifier: Apache-2.0
// The coordinator's mailbox. One thread owns all state of a run; workers get const inputs and
// send back what to do with their result, to be done on that thread. Hence no locks elsewhere.
#pragma once

#include <functional>
#include <utility>

#include "base/channel.hpp"

namespace wheelforge::engine {

class Loop {
public:
    using Act = std::function<void()>;

    /// From any thread: have `act` run on the coordinator.
    void post(Act act) { mailbox_.send(std::move(act)); }
    /// On the coordinator: one more answer is expected from outside (a worker, the index).
    void expect() { ++outstanding_; }
    /// From any thread: `act` is an answer that was expected.
    void answer(Act act) {
        mailbox_.send([this, act = std::move(act)] {
            --outstanding_;
            act();
        });
    }
    /// Runs what arrives until nothing is expected and nothing is left to do. `tick` is called
    /// between acts; what it throws ends the run.
    template <typename Tick>
    void run(Tick&& tick) {
        tick();
        while (outstanding_ > 0 || queued_ > 0) {
            mailbox_.receive()();
            tick();
        }
    }
    /// On the coordinator: have `act` run soon, after what is running now has returned.
    void soon(Act act) {
        ++queued_;
        mailbox_.send([this, act = std::move(act)] {
            --queued_;
            act();
        });
    }
    [[nodiscard]] bool idle() const noexcept { return outstanding_ == 0 && queued_ == 0; }

private:
    Channel<Act> mailbox_;
    int outstanding_ = 0;
    int queued_ = 0;
};

}  // namespace wheelforge::engine
