// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {
namespace {

const Mount* mount_at(const std::vector<Mount>& mounts, const fs::path& inside) {
    const auto found = std::find_if(mounts.begin(), mounts.end(), [&](const Mount& mount) {
        return mount.inside == inside;
    });
    return found == mounts.end() ? nullptr : &*found;
}

TEST(BuildPaths, AreFixedInASandboxAndPrivateOtherwise) {
    EXPECT_EQ(build_paths(SandboxLevel::namespaces, "/x").source, "/build/src");
    EXPECT_EQ(build_paths(SandboxLevel::namespaces, "/x").tmp, "/tmp");
    EXPECT_EQ(build_paths(SandboxLevel::none, "/x").environment, "/x/env");
    EXPECT_EQ(build_paths(SandboxLevel::none, "/x").tmp, "/x/tmp");
}

TEST(SandboxClass, IsPartOfKeysAndMustNotChange) {
    EXPECT_EQ(sandbox_class(SandboxLevel::namespaces), "bwrap-1");
    EXPECT_EQ(sandbox_class(SandboxLevel::none), "none-1");
}

TEST(SystemMounts, ShowTheSystemButNoSecrets) {
    const auto mounts = system_mounts({});
    ASSERT_NE(mount_at(mounts, "/usr"), nullptr);
    EXPECT_EQ(mount_at(mounts, "/etc"), nullptr);
    EXPECT_EQ(mount_at(mounts, "/home"), nullptr);
    EXPECT_EQ(mount_at(mounts, "/etc/shadow"), nullptr);
    for (const Mount& mount : mounts) {
        EXPECT_EQ(mount.kind, Mount::Kind::read_only);
    }
}

class ExtraRoots : public ::testing::Test {
protected:
    [[nodiscard]] fs::path folder() const { return fs::canonical(folder_.path()); }

private:
    TempDir folder_{fs::temp_directory_path(), "wheelforge-unit-"};
};

TEST_F(ExtraRoots, AreShownOnceAndOnlyWhereNeeded) {
    make_directories(folder() / "root/lib");
    const auto mounts = system_mounts({folder() / "root", folder() / "root/lib", "/usr/lib"});
    EXPECT_NE(mount_at(mounts, folder() / "root"), nullptr);
    EXPECT_EQ(mount_at(mounts, folder() / "root/lib"), nullptr);
    EXPECT_EQ(mount_at(mounts, "/usr/lib"), nullptr);
    EXPECT_EQ(system_mounts({folder() / "absent"}).size(), system_mounts({}).size());
}

TEST_F(ExtraRoots, AreShownBehindLinksToo) {
    make_directories(folder() / "real");
    fs::create_directory_symlink("real", folder() / "link");
    const auto mounts = system_mounts({folder() / "link"});
    ASSERT_NE(mount_at(mounts, folder() / "real"), nullptr);
    ASSERT_NE(mount_at(mounts, folder() / "link"), nullptr);
    EXPECT_EQ(mount_at(mounts, folder() / "link")->from.front(), folder() / "real");
}

TEST_F(ExtraRoots, AreNotTakenForOthersWithTheSameStart) {
    make_directories(folder() / "a");
    make_directories(folder() / "ab");
    const auto mounts = system_mounts({folder() / "a", folder() / "ab"});
    EXPECT_NE(mount_at(mounts, folder() / "ab"), nullptr);
}

TEST(Enclose, MountsNothingWithoutASandbox) {
    const TempDir scratch(fs::temp_directory_path(), "wheelforge-unit-");
    const SandboxProbe none{SandboxLevel::none, false, ""};
    Launch launch;
    launch.argv = {"true"};
    launch.mounts = {{Mount::Kind::read_only, {"/usr"}, "/usr"}};
    const Launch enclosed = enclose(launch, none, scratch.path());
    EXPECT_EQ(enclosed.argv, launch.argv);
    EXPECT_TRUE(enclosed.mounts.empty());
    EXPECT_TRUE(fs::is_directory(scratch.path() / "home"));
    launch.mounts = {{Mount::Kind::read_only, {"/usr"}, "/elsewhere"}};
    EXPECT_THROW(static_cast<void>(enclose(launch, none, scratch.path())), Error);
}

}  // namespace
}  // namespace wheelforge::build
