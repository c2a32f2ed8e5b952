// SPDX-License-Identifier: Apache-2.0
#include "base/channel.hpp"

namespace wheelforge {

Pool::Pool(unsigned threads) {
    threads_.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { serve(); });
    }
}

Pool::~Pool() {
    {
        const std::lock_guard guard(mutex_);
        stopping_ = true;
        queue_.clear();
    }
    ready_.notify_all();
    for (auto& thread : threads_) {
        thread.join();
    }
}

void Pool::submit(std::function<void()> work) {
    {
        const std::lock_guard guard(mutex_);
        queue_.push_back(std::move(work));
    }
    ready_.notify_one();
}

void Pool::serve() {
    for (;;) {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) {
            return;
        }
        const auto work = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        work();
    }
}

}  // namespace wheelforge
