// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <gtest/gtest.h>

#include "base/yaml.hpp"
#include "build/diagnosis.hpp"

namespace wheelforge::build {
namespace {

TEST(Diagnosis, NamesTheCauseOfKnownFailures) {
    const auto cases = yaml::load(WHEELFORGE_SOURCE_DIR "/tests/fixtures/build/failures.yaml");
    ASSERT_GT(cases.as_sequence().size(), 45U);
    for (const yaml::Node& node : cases.as_sequence()) {
        const std::string& log = node.find("log")->as_string();
        const int exit_code =
            node.find("exit") == nullptr ? 1 : static_cast<int>(node.find("exit")->as_int());
        const auto diagnosis = diagnose(log, exit_code).value_or(Diagnosis{});
        EXPECT_EQ(diagnosis.id, node.find("id")->as_string()) << log;
        EXPECT_EQ(diagnosis.cause, node.find("cause")->as_string()) << log;
        EXPECT_NE(diagnosis.advice.find(node.find("advice")->as_string()), std::string::npos)
            << log << "\n  " << diagnosis.advice;
    }
}

TEST(Diagnosis, ShowsTheLine) {
    const auto diagnosis =
        diagnose("one\n  x.c:1: fatal error: yaml.h: No such file or directory\n", 1);
    ASSERT_TRUE(diagnosis);
    EXPECT_EQ(diagnosis->evidence, "x.c:1: fatal error: yaml.h: No such file or directory");
}

TEST(Diagnosis, IsSafeToPrint) {
    const auto diagnosis =
        diagnose("\x1b[31mx\x07 fatal error: yaml.h: No such file or directory\xff\n", 1);
    ASSERT_TRUE(diagnosis);
    EXPECT_EQ(diagnosis->evidence.find('\x1b'), std::string::npos);
    EXPECT_EQ(diagnosis->evidence.find('\xff'), std::string::npos);
}

/// The library's regular expressions recurse and backtrack: neither may be felt.
TEST(Diagnosis, EndsSoonOnHostileLogs) {
    const auto start = std::chrono::steady_clock::now();
    const std::string bait = "No such file or directory CMake Error Could NOT find host=' "
                             "NewConnectionError fatal error: urlopen error ";
    std::string log;
    while (log.size() < (1U << 20U)) {
        log += bait;
    }
    static_cast<void>(diagnose(log, 1));
    log.clear();
    while (log.size() < (64U << 10U)) {
        log += bait + std::string(500, ':') + std::string(500, ' ') + "\n";
    }
    static_cast<void>(diagnose(log, 1));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace wheelforge::build
