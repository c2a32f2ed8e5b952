// SPDX-License-Identifier: Apache-2.0
#include "build_world.hpp"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/text.hpp"

namespace wheelforge::build {
namespace {

using namespace std::chrono_literals;

/// Only with namespaces: what the lesser level cannot promise.
class Sandbox : public EveryWay {};
INSTANTIATE_TEST_SUITE_P(Build, Sandbox, ::testing::Values(Way::overlay, Way::copies), way_name);

TEST_P(Sandbox, LetsNothingBeWrittenOutside) {
    const fs::path outside = world().root() / "outside";
    make_directories(outside);
    const std::string places = outside.string()
                               + ":/:/usr:/etc:/opt:/build:/build/runner:/proc/sys:"
                               + test_interpreter().base_prefix.string();
    ASSERT_TRUE(world().build("write_outside", {{"places", {places}}}));
    const auto report = world().report();
    EXPECT_EQ(report.size(), 8 + (test_interpreter().base_prefix == "/usr" ? 0 : 1));
    for (const auto& [place, answer] : report) {
        EXPECT_TRUE(answer.starts_with("refused")) << place << ": " << answer;
    }
    EXPECT_TRUE(fs::is_empty(outside));
}

TEST_P(Sandbox, LetsTheOwnFoldersBeWritten) {
    ASSERT_TRUE(
        world().build("write_outside", {{"places", {"/tmp:/build/home:/build/src:/build/env"}}})
    );
    for (const auto& [place, answer] : world().report()) {
        EXPECT_EQ(answer, "None") << place;
    }
    EXPECT_FALSE(fs::exists("/tmp/wheelforge-was-here"));
    remove_tree(world().scratch());  // whoever wrote it, it is ours to remove
    EXPECT_FALSE(fs::exists(world().scratch()));
}

TEST_P(Sandbox, ShowsNeitherPeopleNorTheRestOfTheHost) {
    const std::string places = "/etc/shadow:/etc/pip.conf:/etc/resolv.conf:/var:/home:/mnt:/sys:"
                               + home_directory().string()
                               + "/.netrc:" + (world().root() / "trees").string();
    ASSERT_TRUE(world().build("look_around", {{"places", {places}}}));
    auto report = world().report();
    EXPECT_LE(std::stoi(report["pids"]), 4);
    EXPECT_EQ(report["uid"], "1000");
    EXPECT_EQ(report["host"], "wheelforge");
    EXPECT_EQ(report["caps"], "0000000000000000");
    for (const auto place : split(places, ':')) {
        EXPECT_EQ(report[std::string(place)], "absent") << place;
    }
}

TEST_P(Sandbox, HasNoNetworkButLoopback) {
    ASSERT_TRUE(world().build("use_network"));
    auto report = world().report();
    EXPECT_EQ(report["interfaces"], "lo");
    EXPECT_EQ(report["outside"], "refused OSError");
    EXPECT_EQ(report["loopback"], "True");
}

/// kill -9 of the whole program, which nothing can catch.
TEST_P(Sandbox, DiesWithUs) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        static_cast<void>(world().build("beat"));
        ::_exit(0);
    }
    const fs::path heartbeat = world().source() / "heartbeat.txt";
    while (!fs::exists(heartbeat)) {
        ASSERT_EQ(::waitpid(pid, nullptr, WNOHANG), 0);
        std::this_thread::sleep_for(10ms);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    std::this_thread::sleep_for(300ms);
    const auto before = fs::file_size(heartbeat);
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(fs::file_size(heartbeat), before);
}

TEST_P(Sandbox, PassesLoaderVariablesPastItself) {
    Launch launch = world().launch();
    launch.argv = {"/bin/sh", "-c", "echo $LD_LIBRARY_PATH"};
    launch.env["LD_LIBRARY_PATH"] = "/build/env/lib";
    launch.log.clear();
    const auto result = run_enclosed(std::move(launch), world().sandbox(), world().scratch());
    EXPECT_EQ(result.out, "/build/env/lib\n");
}

/// A daemon that left its session, its group, its parent and its variables.
TEST(SandboxNone, EndsDaemonsThatHide) {
    const TempDir scratch(fs::temp_directory_path(), "daemon-");
    Launch launch;
    launch.argv = {
        "/bin/sh", "-c", "(env -i setsid sleep 600 & echo $! > pid; sleep 0.2) & wait; exit 7"
    };
    launch.env = {{"PATH", "/usr/bin:/bin"}};
    launch.cwd = scratch.path();
    const auto result = run_enclosed(launch, {SandboxLevel::none, false, {}}, scratch.path());
    EXPECT_EQ(result.exit_code, 7);
    const auto daemon = std::stoi(read_file(scratch.path() / "pid"));
    EXPECT_NE(::kill(daemon, 0), 0) << "process " << daemon << " still runs";
}

TEST(SandboxNone, TellsTheSignalThatEndedAProgram) {
    const TempDir scratch(fs::temp_directory_path(), "signal-");
    Launch launch;
    launch.argv = {"/bin/sh", "-c", "kill -TERM $$"};
    launch.env = {{"PATH", "/usr/bin:/bin"}};
    const auto result = run_enclosed(launch, {SandboxLevel::none, false, {}}, scratch.path());
    EXPECT_EQ(result.exit_code, 128 + SIGTERM);
    EXPECT_EQ(result.signal, SIGTERM);
}

TEST(SandboxProbe, ObeysTheVariable) {
    ASSERT_EQ(::setenv("WHEELFORGE_SANDBOX", "none", 1), 0);
    EXPECT_EQ(probe_sandbox().level, SandboxLevel::none);
    EXPECT_NE(probe_sandbox().reason, "");
    ASSERT_EQ(::setenv("WHEELFORGE_SANDBOX", "perhaps", 1), 0);
    EXPECT_THROW(static_cast<void>(probe_sandbox()), Error);
    ASSERT_EQ(::unsetenv("WHEELFORGE_SANDBOX"), 0);
}

/// Every failure of the sandbox leads to the lesser level and says why.
TEST(SandboxProbe, FallsBackWithoutBubblewrap) {
    const std::string path = std::getenv("PATH");
    ASSERT_EQ(::setenv("PATH", "/nonexistent", 1), 0);
    const SandboxProbe probe = probe_sandbox();
    ASSERT_EQ(::setenv("WHEELFORGE_SANDBOX", "bwrap", 1), 0);
    EXPECT_THROW(static_cast<void>(probe_sandbox()), Error);
    ASSERT_EQ(::unsetenv("WHEELFORGE_SANDBOX"), 0);
    ASSERT_EQ(::setenv("PATH", path.c_str(), 1), 0);
    EXPECT_EQ(probe.level, SandboxLevel::none);
    EXPECT_EQ(probe.reason, "builds are not sandboxed: bubblewrap (bwrap) is not installed");
}

}  // namespace
}  // namespace wheelforge::build
