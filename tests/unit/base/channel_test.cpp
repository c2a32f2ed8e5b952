// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include "base/channel.hpp"

namespace wheelforge {
namespace {

TEST(Channel, DeliversInOrder) {
    Channel<int> channel;
    channel.send(1);
    channel.send(2);
    EXPECT_EQ(channel.receive(), 1);
    EXPECT_EQ(channel.receive(), 2);
}

TEST(Channel, WaitsForAnotherThread) {
    Channel<std::unique_ptr<int>> channel;  // values need only be movable
    std::thread sender([&channel] { channel.send(std::make_unique<int>(7)); });
    EXPECT_EQ(*channel.receive(), 7);
    sender.join();
}

TEST(Channel, GivesUpAfterTheTimeout) {
    Channel<int> channel;
    EXPECT_EQ(channel.receive_for(std::chrono::milliseconds(1)), std::nullopt);
    channel.send(3);
    EXPECT_EQ(channel.receive_for(std::chrono::milliseconds(1)), 3);
}

TEST(Pool, RunsEverythingOnce) {
    constexpr int tasks = 1000;
    Channel<int> done;
    Pool pool(4);
    for (int i = 0; i < tasks; ++i) {
        pool.submit([&done, i] { done.send(i); });
    }
    long sum = 0;
    for (int i = 0; i < tasks; ++i) {
        sum += done.receive();
    }
    EXPECT_EQ(sum, long{tasks} * (tasks - 1) / 2);
}

TEST(Pool, RunsOldestFirst) {
    Channel<int> order;
    Pool pool(1);
    for (int i = 0; i < 20; ++i) {
        pool.submit([&order, i] { order.send(i); });
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(order.receive(), i);
    }
}

TEST(Pool, WorksAtTheSameTime) {
    // Each of the two waits for the other, so one thread alone would never end.
    Channel<int> to_first;
    Channel<int> to_second;
    Channel<int> done;
    Pool pool(2);
    pool.submit([&] {
        to_second.send(1);
        done.send(to_first.receive());
    });
    pool.submit([&] {
        to_first.send(2);
        done.send(to_second.receive());
    });
    EXPECT_EQ(done.receive() + done.receive(), 3);
}

TEST(Pool, WaitsAtItsEndForWhatHasStarted) {
    Channel<int> started;
    std::atomic<bool> finished = false;
    {
        Pool pool(1);
        pool.submit([&] {
            started.send(0);
            std::this_thread::yield();
            finished = true;
        });
        started.receive();
    }
    EXPECT_TRUE(finished);
}

TEST(Pool, DropsAtItsEndWhatHasNotStarted) {
    std::atomic<int> ran = 0;
    {
        // Without threads nothing ever starts.
        Pool pool(0);
        pool.submit([&] { ++ran; });
    }
    EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace wheelforge
