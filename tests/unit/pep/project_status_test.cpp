// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "pep/project_status.hpp"

namespace wheelforge::pep {
namespace {

TEST(ProjectStatus, HasTheFourNamesOfTheStandard) {
    for (const char* name : {"active", "archived", "quarantined", "deprecated"}) {
        ASSERT_TRUE(project_status(name)) << name;
        EXPECT_EQ(name_of(*project_status(name)), name);
    }
    EXPECT_EQ(project_status("Active"), std::nullopt);
    EXPECT_EQ(project_status(""), std::nullopt);
}

TEST(ProjectStatus, OnlyQuarantineForbidsInstalling) {
    EXPECT_TRUE(may_be_installed(ProjectStatus::archived));
    EXPECT_TRUE(may_be_installed(ProjectStatus::deprecated));
    EXPECT_FALSE(may_be_installed(ProjectStatus::quarantined));
}

}  // namespace
}  // namespace wheelforge::pep
