// SPDX-License-Identifier: Apache-2.0
// What becomes of a child and all it has started when it takes too long, is cancelled, ends, or
// loses us.
#include "integration/base/launch.hpp"
#include <chrono>
#include <csignal>
#include <stop_token>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

/// Waits, at most ten seconds, until the process is gone or a zombie.
bool is_gone(int pid) {
    const auto limit = Clock::now() + seconds(10);
    while (Clock::now() < limit) {
        const auto status = read_file_if_there("/proc/" + std::to_string(pid) + "/stat");
        if (!status || status->find(") Z ") != std::string::npos) {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
}

class ProcessKill : public testing::Test {
protected:
    [[nodiscard]] fs::path path(const char* name) const { return folder_.path() / name; }
    /// The pid that a script wrote into a file; waits for the file.
    [[nodiscard]] int pid_in(const char* name) const {
        const auto limit = Clock::now() + seconds(10);
        while (Clock::now() < limit) {
            const auto text = read_file_if_there(path(name)).value_or("");
            if (text.ends_with('\n')) {
                return std::stoi(text);
            }
            std::this_thread::sleep_for(milliseconds(5));
        }
        ADD_FAILURE() << name << " was not written";
        return 0;
    }
    /// A script with $D as the folder of the test.
    [[nodiscard]] Launch in_folder(const std::string& text) const {
        auto launch = script(text);
        launch.env["D"] = folder_.path().string();
        return launch;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "kill-test-"};
};

TEST_F(ProcessKill, TimeoutEndsTheWholeTree) {
    auto launch =
        in_folder("(echo $$ > $D/x; sh -c 'echo $$ > $D/grandchild; sleep 100; :') & wait");
    launch.timeout = seconds(1);
    const auto result = run(launch);
    EXPECT_TRUE(result.timed_out);
    EXPECT_FALSE(result.cancelled);
    EXPECT_EQ(result.exit_code, 128 + SIGTERM);
    EXPECT_LT(result.wall_seconds, 4);
    EXPECT_TRUE(is_gone(pid_in("grandchild")));
}

TEST_F(ProcessKill, TimeoutReachesOtherGroupsAndSessions) {
    auto launch = in_folder("setsid sh -c 'echo $$ > $D/session; sleep 100; :' & wait");
    launch.timeout = seconds(1);
    EXPECT_TRUE(run(launch).timed_out);
    EXPECT_TRUE(is_gone(pid_in("session")));
}

TEST_F(ProcessKill, WhatIgnoresSigtermIsKilledAfterAGrace) {
    auto launch = in_folder("trap '' TERM; sh -c 'echo $$ > $D/stubborn; sleep 100; :'; sleep 100");
    launch.timeout = seconds(1);
    const auto result = run(launch);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.signal, SIGKILL);
    EXPECT_GT(result.wall_seconds, 5.5);
    EXPECT_LT(result.wall_seconds, 9);
    EXPECT_TRUE(is_gone(pid_in("stubborn")));
}

TEST_F(ProcessKill, SigtermLeavesTimeToCleanUp) {
    auto launch = in_folder("trap 'echo cleaned; exit 9' TERM; sleep 100 & wait");
    launch.timeout = seconds(1);
    const auto result = run(launch);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.exit_code, 9);
    EXPECT_EQ(result.out, "cleaned\n");
}

TEST_F(ProcessKill, ShortWorkIsNotTimedOut) {
    auto launch = script("echo done");
    launch.timeout = seconds(600);
    const auto result = run(launch);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.out, "done\n");
}

TEST_F(ProcessKill, StopTokenCancels) {
    std::stop_source stop;
    auto launch = in_folder("sh -c 'echo $$ > $D/child; sleep 100; :' & wait");
    std::thread canceller([&] {
        (void)pid_in("child");
        stop.request_stop();
    });
    const auto result = run(launch, stop.get_token());
    canceller.join();
    EXPECT_TRUE(result.cancelled);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.signal, SIGTERM);
    EXPECT_LT(result.wall_seconds, 4);
    EXPECT_TRUE(is_gone(pid_in("child")));
}

TEST_F(ProcessKill, NothingIsStartedAfterAStop) {
    std::stop_source stop;
    stop.request_stop();
    const auto result = run(in_folder("touch $D/ran"), stop.get_token());
    EXPECT_TRUE(result.cancelled);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_FALSE(fs::exists(path("ran")));
}

TEST_F(ProcessKill, DaemonsLeftBehindAreEnded) {
    const auto result = run(in_folder("sh -c 'echo $$ > $D/daemon; sleep 100; :' > /dev/null 2>&1 &"
                                      "while [ ! -s $D/daemon ]; do sleep 0.01; done; echo done"));
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, "done\n");
    EXPECT_TRUE(is_gone(pid_in("daemon")));
}

TEST_F(ProcessKill, DaemonThatHoldsTheOutputDoesNotHoldUs) {
    const auto before = Clock::now();
    const auto result = run(script("sleep 100 & echo done"));
    EXPECT_EQ(result.out, "done\n");
    EXPECT_LT(Clock::now() - before, seconds(5));
}

TEST_F(ProcessKill, EscapedDaemonThatHoldsTheOutputDoesNotHoldUs) {
    // In a session of its own and with init as its parent it is out of reach.
    const auto before = Clock::now();
    const auto result = run(in_folder("setsid sh -c 'echo $$ > $D/escaped; exec sleep 100' &"
                                      "while [ ! -s $D/escaped ]; do sleep 0.01; done; echo done"));
    EXPECT_EQ(result.out, "done\n");
    EXPECT_LT(Clock::now() - before, seconds(5));
    ::kill(pid_in("escaped"), SIGKILL);
}

TEST_F(ProcessKill, ChildDiesWithUs) {
    const pid_t us = ::fork();
    ASSERT_GE(us, 0);
    if (us == 0) {
        (void)run(in_folder("echo $$ > $D/orphan; exec sleep 100"));
        ::_exit(0);
    }
    const int child = pid_in("orphan");
    ::kill(us, SIGKILL);
    ::waitpid(us, nullptr, 0);
    EXPECT_TRUE(is_gone(child));
}

}  // namespace
}  // namespace wheelforge
