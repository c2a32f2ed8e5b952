// SPDX-License-Identifier: Apache-2.0
// A queue between threads, and a pool of workers.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace wheelforge {

/// Many senders, one receiver.
template <typename T>
class Channel {
public:
    /// The receiver may take the value and destroy the channel at once: nothing of it is touched
    /// after the lock is let go.
    void send(T value) {
        const std::lock_guard guard(mutex_);
        queue_.push_back(std::move(value));
        ready_.notify_one();
    }
    /// Waits for a value.
    T receive() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return !queue_.empty(); });
        return take();
    }
    template <typename Duration>
    std::optional<T> receive_for(Duration timeout) {
        std::unique_lock lock(mutex_);
        if (!ready_.wait_for(lock, timeout, [this] { return !queue_.empty(); })) {
            return std::nullopt;
        }
        return take();
    }

private:
    T take() {
        T value = std::move(queue_.front());
        queue_.pop_front();
        return value;
    }
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<T> queue_;
};

/// Runs submitted work on a fixed number of threads, oldest first. Work must not throw. The
/// destructor drops what has not started and joins what has.
class Pool {
public:
    explicit Pool(unsigned threads);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();
    void submit(std::function<void()> work);

private:
    void serve();
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::function<void()>> queue_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace wheelforge
