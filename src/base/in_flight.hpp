// SPDX-License-Identifier: Apache-2.0
// Work that several ask for at the same time and that is done once: the first asker does it, the
// others get the same answer. Nothing is remembered after the answer.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wheelforge {

template <typename T>
class InFlight {
public:
    using Done = std::function<void(T, std::exception_ptr)>;

    /// @returns true if the caller is the first and has to do the work, then answer().
    [[nodiscard]] bool join(const std::string& key, Done done) {
        const std::lock_guard guard(mutex_);
        auto& waiting = waiting_[key];
        waiting.push_back(std::move(done));
        return waiting.size() == 1;
    }
    /// Calls everybody who joined under `key`, on this thread.
    void answer(const std::string& key, const T& value, const std::exception_ptr& error) {
        for (const auto& done : take(key)) {
            done(value, error);
        }
    }
    /// Answers all who still wait, when nobody is left to do the work.
    void abandon(const std::exception_ptr& error) {
        std::unique_lock lock(mutex_);
        const auto left = std::exchange(waiting_, {});
        lock.unlock();
        for (const auto& [key, waiting] : left) {
            for (const auto& done : waiting) {
                done(T{}, error);
            }
        }
    }

private:
    std::vector<Done> take(const std::string& key) {
        const std::lock_guard guard(mutex_);
        const auto node = waiting_.extract(key);
        return node.empty() ? std::vector<Done>() : std::move(node.mapped());
    }
    std::mutex mutex_;
    std::map<std::string, std::vector<Done>> waiting_;
};

/// Values that are made once per key and then shared; who asks while one is being made waits.
/// A value whose making failed is made anew by the next asker.
template <typename T>
class Memo {
public:
    T get(const std::string& key, const std::function<T()>& make) {
        std::unique_lock lock(mutex_);
        auto& entry = entries_[key];
        lock.unlock();
        const std::lock_guard making(entry.mutex);
        if (!entry.value) {
            entry.value.emplace(make());
        }
        return *entry.value;
    }

private:
    struct Entry {
        std::mutex mutex;
        std::optional<T> value;
    };
    std::mutex mutex_;
    std::map<std::string, Entry> entries_;
};

}  // namespace wheelforge
