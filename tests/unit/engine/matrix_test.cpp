// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/matrix.hpp"

namespace wheelforge::engine {
namespace {

std::string wanted(const char* axis) {
    const auto parsed = MatrixAxis::parse(axis);
    return parsed ? parsed->wanted(parsed->values.at(0))->text() : parsed.error().message;
}

TEST(MatrixAxis, ShortVersionsStandForAllThatBeginSo) {
    EXPECT_EQ(wanted("Torch=2.9,2.10"), "torch==2.9.*");
    EXPECT_EQ(wanted("torch=2"), "torch==2.*");
    EXPECT_EQ(wanted("torch=2.9.1"), "torch==2.9.1");
    EXPECT_EQ(wanted("torch= <2.9 ,2.10"), "torch<2.9");
}

TEST(MatrixAxis, ToolchainsAreFactsWithOneVersion) {
    EXPECT_EQ(wanted("rocm=7.1"), "rocm==7.1");
}

TEST(MatrixAxis, RefusesWhatIsNoListOfVersions) {
    for (const auto* text : {"torch", "=1", "torch=", "torch=1,,2", "torch=x y", "a b=1"}) {
        EXPECT_FALSE(MatrixAxis::parse(text)) << text;
    }
    EXPECT_EQ(MatrixAxis::parse("torch=2.9,?").error().offset, 10U);
}

}  // namespace
}  // namespace wheelforge::engine
