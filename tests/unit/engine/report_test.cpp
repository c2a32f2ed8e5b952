// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/report.hpp"

namespace wheelforge::engine {
namespace {

Job job(const std::string& name, JobState state) {
    Job made;
    made.id = {name, *pep::Version::parse("1.0")};
    made.state = std::move(state);
    return made;
}

Failure failure(ExitCode code, std::vector<std::string> advice = {}) {
    Failure made;
    made.code = code;
    made.id = "build-failed";
    made.message = "it broke";
    made.advice = std::move(advice);
    return made;
}

TEST(Report, CallsARefusedWheelRefusedAndNotFailed) {
    EXPECT_EQ(row_of(job("a", Failed{failure(ExitCode::refused)}), true).outcome, "refused");
    EXPECT_EQ(row_of(job("a", Failed{failure(ExitCode::build_failed)}), true).outcome, "failed");
}

TEST(Report, NamesTheFailureThatBlocks) {
    const auto row = row_of(job("b", Blocked{{"a", *pep::Version::parse("1.0")}}), true);
    EXPECT_EQ(row.outcome, "blocked");
    EXPECT_EQ(row.blocked_by, (std::vector<std::string>{"a==1.0"}));
}

TEST(Report, CallsWhatNeverEndedCancelled) {
    EXPECT_EQ(row_of(job("a", Pinned{}), false).outcome, "cancelled");
    EXPECT_EQ(row_of(job("a", Cancelled{}), false).outcome, "cancelled");
}

TEST(Report, CountsEveryOutcomeEvenThoseWithNone) {
    Report report;
    report.packages.push_back(row_of(job("a", Failed{failure(ExitCode::build_failed)}), true));
    const auto counts = report.counts();
    EXPECT_EQ(counts.size(), 9U);
    EXPECT_EQ(counts.at("failed"), 1);
    EXPECT_EQ(counts.at("built"), 0);
}

TEST(Report, SaysFirstWhatTheFirstFailureAdvises) {
    Report report;
    report.packages.push_back(
        row_of(job("a", Failed{failure(ExitCode::build_failed, {"install gcc"})}), true)
    );
    EXPECT_EQ(first_action(report), "a 1.0: install gcc");
    EXPECT_EQ(first_action(Report{}), "");
}

TEST(Report, WritesNullWhereThereIsNothing) {
    Report report;
    report.variant = "cpu";
    const auto text = report_json(report);
    EXPECT_NE(text.find("\"error\": null"), std::string::npos);
    EXPECT_NE(text.find("\"first_action\": null"), std::string::npos);
}

}  // namespace
}  // namespace wheelforge::engine
