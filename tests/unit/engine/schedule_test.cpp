// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/schedule.hpp"

namespace wheelforge::engine {
namespace {

ReadyBuild ready(const char* name, std::size_t waiting) {
    return {{name, *pep::Version::parse("1.0")}, waiting, false};
}

std::vector<std::string> names(const std::vector<Admission>& admitted) {
    std::vector<std::string> result;
    for (const auto& each : admitted) {
        result.push_back(each.id.name + ":" + std::to_string(each.cores));
    }
    return result;
}

using Names = std::vector<std::string>;

TEST(Schedule, StartsWhatMostOthersWaitFor) {
    EXPECT_EQ(names(admit({ready("a", 1), ready("b", 5)}, {1, 8})), (Names{"b:1"}));
}

TEST(Schedule, BreaksTiesByNameWhateverTheOrderOfArrival) {
    EXPECT_EQ(names(admit({ready("b", 0), ready("a", 0)}, {1, 8})), (Names{"a:1"}));
    EXPECT_EQ(names(admit({ready("a", 0), ready("b", 0)}, {1, 8})), (Names{"a:1"}));
}

TEST(Schedule, GivesAllCoresToTheOnlyBuild) {
    EXPECT_EQ(names(admit({ready("a", 0)}, {8, 8})), (Names{"a:8"}));
}

TEST(Schedule, SharesCoresAmongThoseThatStart) {
    EXPECT_EQ(
        names(admit({ready("a", 2), ready("b", 1), ready("c", 0)}, {8, 8})),
        (Names{"a:3", "b:3", "c:2"})
    );
}

TEST(Schedule, StartsNoMoreBuildsThanMemoryAllows) {
    EXPECT_EQ(names(admit({ready("a", 0), ready("b", 0)}, {8, 1})), (Names{"a:8"}));
}

TEST(Schedule, StartsNothingWithoutAFreeCore) {
    EXPECT_TRUE(admit({ready("a", 0)}, {0, 8}).empty());
    EXPECT_TRUE(admit({}, {4, 8}).empty());
}

TEST(Schedule, ABuildThatWantsTheMachineForItselfComesLastAndAlone) {
    auto alone = ready("a", 9);
    alone.exclusive = true;
    EXPECT_EQ(names(admit({alone, ready("b", 0)}, {8, 8})), (Names{"b:8"}));
    EXPECT_EQ(names(admit({alone}, {8, 8})), (Names{"a:8"}));
    EXPECT_TRUE(admit({alone}, {4, 8, false}).empty());
    auto other = ready("c", 1);
    other.exclusive = true;
    EXPECT_EQ(names(admit({other, alone}, {8, 8})), (Names{"a:8"}));
}

TEST(Schedule, CompileJobsFitIntoCoresAndMemory) {
    config::PackageSettings settings;
    EXPECT_EQ(compile_jobs(settings, 8, 1), 8U);
    settings.build.cpu_cores_per_job = {3, "x"};
    EXPECT_EQ(compile_jobs(settings, 8, 1), 2U);
    EXPECT_EQ(compile_jobs(settings, 2, 1), 1U);
    settings.build.memory_per_job_gb = {4.0, "x"};
    EXPECT_EQ(compile_jobs(settings, 8, 5'000'000'000), 1U);
    settings.build.cpu_cores_per_job.reset();
    EXPECT_EQ(compile_jobs(settings, 8, 17'000'000'000), 4U);
    EXPECT_EQ(compile_jobs(settings, 8, 1), 1U);
}

}  // namespace
}  // namespace wheelforge::engine
