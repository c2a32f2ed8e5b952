// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/resources.hpp"

namespace wheelforge {
namespace {

TEST(Resources, AreTheFilesOfTheRepositoryByteForByte) {
    for (const auto path : resources_below("")) {
        const auto content = resource(path);
        ASSERT_TRUE(content) << path;
        EXPECT_TRUE(*content == read_file(fs::path(WHEELFORGE_SOURCE_DIR) / path)) << path;
    }
}

TEST(Resources, AreFoundByFolderSorted) {
    const auto variants = resources_below("variants/");
    EXPECT_TRUE(std::is_sorted(variants.begin(), variants.end()));
    EXPECT_NE(std::find(variants.begin(), variants.end(), "variants/cpu.yaml"), variants.end());
    EXPECT_TRUE(resources_below("no/such/").empty());
}

TEST(Resources, AreNulloptWhereThereIsNone) {
    EXPECT_EQ(resource("variants/nothing.yaml"), std::nullopt);
    EXPECT_EQ(resource(""), std::nullopt);
}

}  // namespace
}  // namespace wheelforge
