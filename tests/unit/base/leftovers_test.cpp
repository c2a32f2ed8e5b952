// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/leftovers.hpp"

namespace wheelforge {
namespace {

TEST(Leftovers, OfTheDeadGoAndThoseOfTheLivingStay) {
    const TempDir folder(fs::temp_directory_path());
    write_file(folder.path() / "deep" / ".wheelforge-a1B2c3", "half");
    write_file(folder.path() / ".wheelforge-wheels", "a list");
    write_file(folder.path() / ".wheelforge-other-name", "not ours");
    AtomicFile living(folder.path() / "deep" / "result");
    EXPECT_EQ(sweep_leftovers(folder.path(), Depth::folder), 0U);
    EXPECT_EQ(sweep_leftovers(folder.path(), Depth::tree), 1U);
    living.write("whole");
    living.commit();
    EXPECT_EQ(read_file(folder.path() / "deep" / "result"), "whole");
    EXPECT_FALSE(fs::exists(folder.path() / "deep" / ".wheelforge-a1B2c3"));
    EXPECT_TRUE(fs::exists(folder.path() / ".wheelforge-wheels"));
    EXPECT_TRUE(fs::exists(folder.path() / ".wheelforge-other-name"));
}

TEST(Leftovers, OfNoFolderAreNone) {
    EXPECT_EQ(sweep_leftovers("/nowhere/at/all", Depth::tree), 0U);
}

}  // namespace
}  // namespace wheelforge
