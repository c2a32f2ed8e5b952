// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wheel/build_tag.hpp"

namespace wheelforge::wheel {
namespace {

TEST(BuildTag, StandsBetweenVersionAndTags) {
    EXPECT_EQ(with_build_tag("a-1.0-py3-none-any.whl", 3), "a-1.0-3-py3-none-any.whl");
    EXPECT_EQ(with_build_tag("a-1.0-2local-cp312-cp312-l.whl", 3), "a-1.0-3-cp312-cp312-l.whl");
}

TEST(BuildTag, IsTheLastLineOfTheWheelFile) {
    EXPECT_EQ(
        wheel_file_with_build("Wheel-Version: 1.0\nBuild: 1\nTag: py3-none-any\n", 4),
        "Wheel-Version: 1.0\nTag: py3-none-any\nBuild: 4\n"
    );
    EXPECT_EQ(wheel_file_with_build("A: b\r\n\r\n", 1).find("\r"), std::string::npos);
}

}  // namespace
}  // namespace wheelforge::wheel
