// SPDX-License-Identifier: Apache-2.0
#include "integration/base/launch.hpp"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;

class Process : public testing::Test {
protected:
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

private:
    TempDir folder_{fs::temp_directory_path(), "process-test-"};
};

TEST_F(Process, GivesBackOutputAndExitCode) {
    const auto result = run(script("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.out, "out\n");
    EXPECT_EQ(result.err, "err\n");
    EXPECT_FALSE(result.timed_out);
    EXPECT_FALSE(result.cancelled);
}

TEST_F(Process, TellsWhichSignalEndedIt) {
    const auto result = run(script("kill -SEGV $$"));
    EXPECT_EQ(result.signal, SIGSEGV);
    EXPECT_EQ(result.exit_code, 128 + SIGSEGV);
}

TEST_F(Process, SeesExactlyTheGivenEnvironment) {
    Launch launch;
    launch.argv = {"/usr/bin/env"};
    launch.env = {{"B", "2 two"}, {"A", ""}};
    EXPECT_EQ(run(launch).out, "A=\nB=2 two\n");
    launch.env = {};
    EXPECT_EQ(run(launch).out, "");
}

TEST_F(Process, GetsArgumentsUntouchedByAnyShell) {
    Launch launch;
    launch.argv = {"/usr/bin/printf", "%s|", "a b", "$(id)", "*", "", ";", "\"'"};
    EXPECT_EQ(run(launch).out, "a b|$(id)|*||;|\"'|");
}

TEST_F(Process, StartsInItsFolder) {
    auto launch = script("pwd");
    launch.cwd = folder();
    EXPECT_EQ(trim(run(launch).out), fs::canonical(folder()).string());
}

TEST_F(Process, FindsItsProgramOnItsOwnPath) {
    write_file(folder() / "tool", "#!/bin/sh\necho mine\n");
    fs::permissions(folder() / "tool", fs::perms::owner_all);
    Launch launch;
    launch.argv = {"tool"};
    launch.env = {{"PATH", folder().string() + ":/usr/bin:/bin"}};
    EXPECT_EQ(run(launch).out, "mine\n");
    launch.env = {};
    const auto error = thrown_error([&] { (void)run(launch); });
    EXPECT_EQ(error.id(), "program-not-found");
    EXPECT_EQ(error.code(), ExitCode::usage);
}

TEST_F(Process, RunsAProgramRelativeToItsFolder) {
    write_file(folder() / "bin" / "tool", "#!/bin/sh\necho here\n");
    fs::permissions(folder() / "bin" / "tool", fs::perms::owner_all);
    Launch launch;
    launch.argv = {"bin/tool"};
    launch.cwd = folder();
    EXPECT_EQ(run(launch).out, "here\n");
}

TEST_F(Process, ThatCannotBeStartedIsAnError) {
    Launch launch;
    launch.argv = {(folder() / "none").string()};
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "program-not-found");
    write_file(folder() / "text", "no program\n");
    launch.argv = {(folder() / "text").string()};
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
    launch.argv = {};
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
    launch = script("true");
    launch.cwd = folder() / "none";
    const auto error = thrown_error([&] { (void)run(launch); });
    EXPECT_EQ(error.id(), "cannot-start");
    EXPECT_NE(error.message().find("none"), std::string::npos) << error.message();
}

TEST_F(Process, RefusesWhatCannotBePassedOn) {
    auto launch = script("true");
    launch.argv.emplace_back("a\0b", 3);
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
    launch = script("true");
    launch.env["A"] = std::string("a\0b", 3);
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
    launch = script("true");
    launch.env["A=B"] = "c";
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
}

TEST_F(Process, ReadsItsStandardInput) {
    auto launch = script("cat");
    EXPECT_EQ(run(launch).out, "");
    launch.standard_input = std::string(1'000'000, 'i');
    launch.capture_limit = 2'000'000;
    EXPECT_EQ(run(launch).out, launch.standard_input);
    launch = script("exit 0");  // does not read it
    launch.standard_input = std::string(1'000'000, 'i');
    EXPECT_EQ(run(launch).exit_code, 0);
}

TEST_F(Process, KeepsOutputUpToTheLimitAndLetsTheChildGoOn) {
    auto launch = script("head -c 3000000 /dev/zero | tr '\\0' a; echo end >&2");
    launch.capture_limit = 1000;
    const auto result = run(launch);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, std::string(1000, 'a'));
    EXPECT_EQ(result.err, "end\n");
}

TEST_F(Process, AppendsBothStreamsToItsLog) {
    write_file(folder() / "logs" / "build.log", "before\n");
    auto launch = script("echo out; echo err >&2; echo again");
    launch.log = folder() / "logs" / "build.log";
    const auto result = run(launch);
    EXPECT_EQ(read_file(launch.log), "before\nout\nerr\nagain\n");
    EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Process, LargeLogCostsNoMemory) {
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    auto launch = script("head -c 200000000 /dev/zero");
    launch.log = folder() / "log";
    EXPECT_EQ(run(launch).exit_code, 0);
    EXPECT_EQ(fs::file_size(launch.log), 200'000'000U);
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000) << "KiB";
}

TEST_F(Process, LogThatCannotBeWrittenIsAnError) {
    auto launch = script("true");
    launch.log = folder();
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
}

TEST_F(Process, IsMeasured) {
    const auto result = run(script("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.05"));
    EXPECT_GT(result.wall_seconds, 0.05);
    EXPECT_GT(result.cpu_seconds, 0);
    EXPECT_GT(result.peak_rss_bytes, 100'000U);
}

TEST_F(Process, MeasuresItsChildrenToo) {
    const auto result =
        run(script("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true"));
    EXPECT_GT(result.cpu_seconds, 0.01);
}

TEST_F(Process, TellsItsPidOnceItRuns) {
    int pid = 0;
    auto launch = script("echo $$");
    launch.started = [&pid](int number) { pid = number; };
    const auto result = run(launch);
    EXPECT_EQ(trim(result.out), std::to_string(pid));
}

TEST_F(Process, ErrorFromTheCallbackEndsTheChild) {
    int pid = 0;
    auto launch = script("exec sleep 100");
    launch.started = [&pid](int number) {
        pid = number;
        throw Error{ExitCode::bug, "callback", "threw"};
    };
    EXPECT_EQ(thrown_error([&] { (void)run(launch); }).id(), "callback");
    EXPECT_EQ(::kill(pid, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST_F(Process, RunsBeforeExecInTheChild) {
    auto launch = script("umask");
    launch.before_exec = [] {
        ::umask(0123);
        return 0;
    };
    EXPECT_EQ(run(launch).out, "0123\n");
    launch.before_exec = [] { return EPERM; };
    const auto error = thrown_error([&] { (void)run(launch); });
    EXPECT_EQ(error.id(), "cannot-start");
    EXPECT_NE(error.message().find("Operation not permitted"), std::string::npos);
}

TEST_F(Process, RunManyAtOnce) {
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&right, t] {
            for (int i = 0; i < 10; ++i) {
                const std::string text = std::to_string(t) + "." + std::to_string(i);
                const auto result =
                    run(script("echo " + text + "; echo e" + text + " >&2; exit 5"));
                const bool good = result.exit_code == 5 && result.out == text + "\n"
                                  && result.err == "e" + text + "\n";
                right += good ? 1 : 0;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, 80);
}

TEST_F(Process, FindProgramLooksForFilesThatMayRun) {
    write_file(folder() / "a" / "tool", "x");  // not executable
    write_file(folder() / "b" / "tool", "x");
    fs::permissions(folder() / "b" / "tool", fs::perms::owner_all);
    fs::create_directory(folder() / "a" / "folder");
    const std::string path = (folder() / "a").string() + "::" + (folder() / "b").string();
    if (::geteuid() == 0) {
        // Root may run a file as soon as one of its three bits is set; none is.
        EXPECT_NE(find_program("tool", (folder() / "a").string()), folder() / "a" / "tool");
    }
    EXPECT_EQ(find_program("tool", path), folder() / "b" / "tool");
    EXPECT_EQ(find_program("folder", path), std::nullopt);
    EXPECT_EQ(find_program("none", path), std::nullopt);
    EXPECT_EQ(find_program("", path), std::nullopt);
    EXPECT_EQ(find_program("tool", ""), std::nullopt);
    EXPECT_EQ(find_program((folder() / "b" / "tool").string(), ""), folder() / "b" / "tool");
}

TEST_F(Process, EmptyEntryOfPathIsNotTheCurrentFolder) {
    const auto before = fs::current_path();
    write_file(folder() / "tool", "x");
    fs::permissions(folder() / "tool", fs::perms::owner_all);
    fs::current_path(folder());
    EXPECT_EQ(find_program("tool", ":/usr/bin:"), std::nullopt);
    fs::current_path(before);
}

TEST_F(Process, CurrentEnvironmentIsThatOfTheTest) {
    ::setenv("WHEELFORGE_TEST_VARIABLE", "a=b", 1);
    EXPECT_EQ(current_environment().at("WHEELFORGE_TEST_VARIABLE"), "a=b");
    ::unsetenv("WHEELFORGE_TEST_VARIABLE");
    EXPECT_FALSE(current_environment().contains("WHEELFORGE_TEST_VARIABLE"));
}

}  // namespace
}  // namespace wheelforge
