// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/check_judge.hpp"

namespace wheelforge::engine {
namespace {

TEST(CheckReport, OnlyWhatBlocksCounts) {
    CheckReport report;
    EXPECT_EQ(report.exit_code(), ExitCode::ok);
    report.findings.push_back({"constraint-unused", false, "a", "c.txt:1", "m", {}, "", ""});
    EXPECT_EQ(report.exit_code(), ExitCode::ok);
    report.findings.push_back({"only-wheels", true, "b", "c.txt:2", "m", {}, "pre_built", ""});
    EXPECT_EQ(report.exit_code(), ExitCode::unsatisfiable);
    EXPECT_EQ(report.blocking(), 1U);
}

TEST(CheckReport, TextIsSafeForTerminals) {
    CheckReport report;
    report.findings.push_back(
        {"not-on-index", true, "b", "c\x1b[2J.txt:2", "bad\x1b[0m\nline", {"\x07"}, "git", ""}
    );
    EXPECT_EQ(check_text(report).find('\x1b'), std::string::npos);
    EXPECT_EQ(check_text(report).find('\x07'), std::string::npos);
}

TEST(PinnedVersion, IsThatOfEqualsWithoutStar) {
    const auto pinned = [](const char* text) {
        return pinned_version(*pep::SpecifierSet::parse(text)).value_or("none");
    };
    EXPECT_EQ(pinned("==0.11.2b0"), "0.11.2b0");
    EXPECT_EQ(pinned("<3,==2.10"), "2.10");
    EXPECT_EQ(pinned("==2.*"), "none");
    EXPECT_EQ(pinned(">=2"), "none");
}

}  // namespace
}  // namespace wheelforge::engine
