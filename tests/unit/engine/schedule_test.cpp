// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/schedule.hpp"

namespace wheelforge::engine {
namespace {

ReadyBuild ready(const char* name, std::size_t waiting) {
    return {{name, *pep::Version::parse("1.0")}, waiting};
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

}  // namespace
}  // namespace wheelforge::engine
