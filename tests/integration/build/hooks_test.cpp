// SPDX-License-Identifier: Apache-2.0
#include "build_world.hpp"
#include <chrono>
#include <sys/resource.h>
#include <thread>

#include "base/process.hpp"
#include "base/text.hpp"
#include "build/diagnosis.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::build {
namespace {

using namespace std::chrono_literals;

class Hooks : public EveryWay {};
INSTANTIATE_TEST_SUITE_P(
    Build, Hooks, ::testing::Values(Way::overlay, Way::copies, Way::none), way_name
);

TEST_P(Hooks, BuildAWheelThatCanBeRead) {
    const auto name = world().build("nothing");
    ASSERT_TRUE(name) << name.error().exception;
    EXPECT_EQ(*name, "tiny-1.0-py3-none-any.whl");
    const wheel::WheelFile wheel(world().output() / *name);
    EXPECT_EQ(wheel.filename().name, "tiny");
}

TEST_P(Hooks, RunInForksOfOneImport) {
    auto session = world().session({{"n", {"5"}}});
    const std::vector<std::string> expected = {"calls==1", "settings==5"};
    EXPECT_EQ(session.get_requires_for_build_wheel().value(), expected);
    EXPECT_EQ(session.get_requires_for_build_wheel().value(), expected);  // the same memory again
    EXPECT_EQ(session.build_wheel(world().paths().output).value(), "tiny-1.0-py3-none-any.whl");
    EXPECT_GT(session.measure().cpu_seconds, 0);
    EXPECT_GT(session.measure().peak_rss_bytes, 1U << 20U);
    EXPECT_GT(session.measure().wall_seconds, 0);
}

TEST_P(Hooks, AnswerTheMetadata) {
    auto session = world().session();
    const auto text = session.prepare_metadata_for_build_wheel(world().paths().output);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n");
}

TEST_P(Hooks, KeepOutputOutOfTheAnswers) {
    EXPECT_TRUE(world().build("speak"));
    const std::string log = log_tail(world().log());
    EXPECT_NE(log.find("from stdout\n"), std::string::npos);
    EXPECT_NE(log.find("from stderr\n"), std::string::npos);
    EXPECT_NE(log.find("from a program\n"), std::string::npos);
}

struct Misdeed {
    const char* deed;
    int exit_code;
    const char* exception;
};
constexpr Misdeed misdeeds[] = {
    {"fail", 1, "ValueError: this build always \\x1b[31mfails"},
    {"exit_quietly", 7, ""},
    {"exit_politely", 1, "SystemExit: enough"},
    {"crash", 139, ""},
    {"kill_parent", 137, ""},
    {"close_descriptors", 1, ""},
    {"answer_number", 1, "Refused: build_wheel must answer a name, not int"},
    {"answer_path",
     1,
     "Refused: build_wheel must answer a base name, not '../tiny-1.0-py3-none-any.whl'"},
    {"answer_much", 1, "the hook answered 20971534 bytes"},
    {"import_missing", 1, "ModuleNotFoundError: No module named 'a_module_nobody_has'"},
};

TEST_P(Hooks, TellHowTheyFailed) {
    for (const Misdeed& misdeed : misdeeds) {
        const auto answer = world().build(misdeed.deed);
        ASSERT_FALSE(answer) << misdeed.deed;
        EXPECT_EQ(answer.error().hook, "build_wheel");
        EXPECT_EQ(answer.error().exit_code, misdeed.exit_code) << misdeed.deed;
        EXPECT_EQ(answer.error().exception, misdeed.exception) << misdeed.deed;
        EXPECT_FALSE(answer.error().backend_missing);
    }
    EXPECT_NE(log_tail(world().log()).find("Traceback (most recent call last)"), std::string::npos);
}

TEST_P(Hooks, GoOnAfterAFailure) {
    auto session = world().session({{"do", {"exit_quietly"}}});
    EXPECT_FALSE(session.build_wheel(world().paths().output));
    EXPECT_TRUE(session.get_requires_for_build_wheel());
}

TEST_P(Hooks, FailTheSameWayOnceTheProcessIsGone) {
    auto session = world().session({{"do", {"kill_parent"}}});
    EXPECT_EQ(session.build_wheel(world().paths().output).error().exit_code, 137);
    EXPECT_EQ(session.get_requires_for_build_wheel().error().exit_code, 137);
    EXPECT_EQ(session.get_requires_for_build_wheel().error().hook, "get_requires_for_build_wheel");
}

TEST_P(Hooks, SayThatTheBackendIsMissing) {
    HookSessionRequest request;
    request.base = world().launch();
    request.python = world().paths().environment / "bin" / "python";
    request.runner = world().paths().runner / "hook_runner.py";
    request.build_system = pep::BuildSystem::legacy_default();
    request.sandbox = world().sandbox();
    request.scratch = world().scratch();
    HookSession session(std::move(request));
    const auto answer = session.get_requires_for_build_wheel();
    ASSERT_FALSE(answer);
    EXPECT_TRUE(answer.error().backend_missing);
    EXPECT_EQ(answer.error().exception, "ModuleNotFoundError: No module named 'setuptools'");
}

TEST_P(Hooks, RefuseABackendFromElsewhere) {
    HookSessionRequest request;
    request.base = world().launch();
    request.python = world().paths().environment / "bin" / "python";
    request.runner = world().paths().runner / "hook_runner.py";
    request.build_system.backend = "json";  // of the standard library, not of the tree
    request.build_system.backend_path = {"backend"};
    request.sandbox = world().sandbox();
    request.scratch = world().scratch();
    HookSession session(std::move(request));
    const auto answer = session.get_requires_for_build_wheel();
    ASSERT_FALSE(answer);
    EXPECT_EQ(
        answer.error().exception, "Refused: the backend json was not loaded from backend-path"
    );
}

long peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // KiB
}

TEST_P(Hooks, LeaveOurMemoryAloneWhenTheyPrintALot) {
    const long before = peak_memory();
    ASSERT_TRUE(world().build("log", {{"megabytes", {"60"}}}));
    EXPECT_GE(fs::file_size(world().log()), 60U << 20U);
    EXPECT_LE(log_tail(world().log()).size(), 64U << 10U);
    EXPECT_LT(peak_memory() - before, 20 << 10);
}

/// Neither a daemon nor one that ignores SIGTERM outlives the session.
TEST_P(Hooks, LeaveNothingRunning) {
    ASSERT_TRUE(world().build("leave_daemon"));
    const fs::path heartbeat = world().source() / "heartbeat.txt";
    const auto before = fs::file_size(heartbeat);
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(fs::file_size(heartbeat), before);
}

TEST_P(Hooks, EndWhenStopped) {
    std::stop_source stop;
    std::jthread stopper([&] {
        while (!world().report().contains("hanging")) {
            std::this_thread::sleep_for(20ms);
        }
        stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    auto session = world().session({{"do", {"hang"}}}, stop.get_token());
    const auto answer = session.build_wheel(world().paths().output);
    ASSERT_FALSE(answer);
    EXPECT_GE(answer.error().exit_code, 128);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_P(Hooks, EndAfterTheirTime) {
    HookSessionRequest request;
    request.base = world().launch();
    request.base.timeout = 1s;
    request.python = world().paths().environment / "bin" / "python";
    request.runner = world().paths().runner / "hook_runner.py";
    request.build_system.backend = "tiny_backend:hooks";
    request.build_system.backend_path = {"backend"};
    request.config_settings = {{"do", {"hang"}}};
    request.sandbox = world().sandbox();
    request.scratch = world().scratch();
    HookSession session(std::move(request));
    const auto answer = session.build_wheel(world().paths().output);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().exception, "timed out after 1 s");
}

}  // namespace
}  // namespace wheelforge::build
