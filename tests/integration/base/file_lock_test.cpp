// SPDX-License-Identifier: Apache-2.0
#include "integration/base/launch.hpp"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/channel.hpp"
#include "base/files.hpp"
#include "base/process.hpp"

namespace wheelforge {
namespace {

TEST(FileLock, IsReleasedWhenItsOwnerIsKilled) {
    const TempDir folder(fs::temp_directory_path());
    const auto path = folder.path() / "lock";
    const auto held = folder.path() / "held";
    const pid_t owner = ::fork();
    ASSERT_GE(owner, 0);
    if (owner == 0) {
        const auto lock = FileLock::acquire(path, FileLock::Wait::yes);
        write_file(held, "");
        ::pause();
        ::_exit(0);
    }
    while (!fs::exists(held)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_FALSE(FileLock::acquire(path, FileLock::Wait::no));
    ::kill(owner, SIGKILL);
    EXPECT_TRUE(FileLock::acquire(path, FileLock::Wait::yes));
    ::waitpid(owner, nullptr, 0);
}

TEST(FileLock, IsNotInheritedByChildren) {
    const TempDir folder(fs::temp_directory_path());
    const auto path = folder.path() / "lock";
    auto lock = FileLock::acquire(path, FileLock::Wait::yes);
    auto launch = script("exec sleep 100");
    Channel<int> started;
    launch.started = [&started](int pid) { started.send(pid); };
    std::stop_source stop;
    std::thread runner([&] { (void)run(launch, stop.get_token()); });
    started.receive();
    lock.reset();
    EXPECT_TRUE(FileLock::acquire(path, FileLock::Wait::no));
    stop.request_stop();
    runner.join();
}

TEST(FileLock, LetsOneInAfterTheOther) {
    const TempDir folder(fs::temp_directory_path());
    const auto path = folder.path() / "lock";
    std::atomic<int> inside = 0;  // atomic for the tools: they do not know that a lock orders
    std::atomic<int> most = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                const auto lock = FileLock::acquire(path, FileLock::Wait::yes);
                most = std::max(most.load(), ++inside);
                --inside;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace wheelforge
