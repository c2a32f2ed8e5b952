// SPDX-License-Identifier: Apache-2.0
// Work that several ask for at the same time and that is done once: the first asker does it, the
// others get the same answer. Nothing is remembered after the answer.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace wheelforge {

/// An Error of one's own, since whoever catches one adds to it what was being done.
[[nodiscard]] inline std::exception_ptr own_copy(const std::exception_ptr& error) {
    if (!error) {
        return nullptr;
    }
    try {
        std::rethrow_exception(error);
    } catch (const Error& original) {
        return std::make_exception_ptr(original);
    } catch (...) {
        return error;
    }
}

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
    void answer(const std::string& key, T value, const std::exception_ptr& error) {
        const auto waiting = take(key);
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const bool is_last = i + 1 == waiting.size();
            waiting[i](is_last ? std::move(value) : T(value), own_copy(error));
        }
    }
    /// Answers all who still wait, when nobody is left to do the work.
    void abandon(const std::exception_ptr& error) {
        std::unique_lock lock(mutex_);
        const auto left = std::exchange(waiting_, {});
        lock.unlock();
        for (const auto& [key, waiting] : left) {
            for (const auto& done : waiting) {
                done(T{}, own_copy(error));
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
