// SPDX-License-Identifier: Apache-2.0
// The last line of defence, tested without the rules that stand before it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/beneath.hpp"
#include "base/files.hpp"
#include "support/plain_file.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;
using Parts = std::vector<std::string>;

class BeneathTest : public testing::TestWithParam<Beneath::Resolve> {
protected:
    BeneathTest() { make_directories(inside()); }
    [[nodiscard]] fs::path inside() const { return folder_.path() / "inside"; }
    [[nodiscard]] fs::path outside() const { return folder_.path() / "outside"; }
    [[nodiscard]] Beneath open() const { return Beneath(inside(), GetParam()); }

private:
    TempDir folder_{fs::temp_directory_path(), "beneath-test-"};
};

TEST_P(BeneathTest, MakesFilesWithTheirFolders) {
    Beneath folder = open();
    const Parts path{"a", "b", "c.txt"};
    write_all(folder.create_file(path, false), "content", "c.txt");
    folder.make_folder(Parts{"a", "b"});
    folder.make_folder(Parts{"a", "d", "e"});
    EXPECT_EQ(read_file(inside() / "a/b/c.txt"), "content");
    EXPECT_TRUE(fs::is_directory(inside() / "a/d/e"));
    EXPECT_EQ(folder.folders_made(), 4U);
}

TEST_P(BeneathTest, NeverWritesThroughALink) {
    make_directories(outside());
    fs::create_directory_symlink(outside(), inside() / "link");
    fs::create_directory_symlink(".", inside() / "self");
    fs::create_symlink(outside() / "new", inside() / "file");
    Beneath folder = open();
    for (const Parts& path :
         {Parts{"link", "x"}, Parts{"link", "deep", "x"}, Parts{"self", "x"}, Parts{"file", "x"}}) {
        EXPECT_EQ(thrown_error([&] { (void)folder.create_file(path, false); }).id(), "archive-link")
            << path[0];
        EXPECT_EQ(thrown_error([&] { folder.make_folder(path); }).id(), "archive-link") << path[0];
        EXPECT_EQ(thrown_error([&] { folder.make_symlink(path, "x"); }).id(), "archive-link")
            << path[0];
    }
    EXPECT_EQ(
        thrown_error([&] { (void)folder.create_file(Parts{"file"}, false); }).id(),
        "archive-duplicate"
    );
    EXPECT_TRUE(fs::is_empty(outside()));
}

TEST_P(BeneathTest, HardLinksNameRegularFilesInside) {
    support::save(outside(), "secret");
    fs::create_symlink(outside(), inside() / "link");
    Beneath folder = open();
    (void)folder.create_file(Parts{"a", "file"}, true);
    folder.make_hard_link(Parts{"a", "file"}, Parts{"b", "again"});
    EXPECT_EQ(fs::hard_link_count(inside() / "b/again"), 2U);
    EXPECT_EQ(
        thrown_error([&] { folder.make_hard_link(Parts{"link"}, Parts{"stolen"}); }).id(),
        "archive-link"
    );
    EXPECT_EQ(
        thrown_error([&] { folder.make_hard_link(Parts{"a"}, Parts{"stolen"}); }).id(),
        "archive-link"
    );
    EXPECT_FALSE(fs::exists(inside() / "stolen"));
}

TEST_P(BeneathTest, TellsNamesThatAreTaken) {
    Beneath folder = open();
    (void)folder.create_file(Parts{"file"}, false);
    EXPECT_EQ(
        thrown_error([&] { (void)folder.create_file(Parts{"file"}, false); }).id(),
        "archive-duplicate"
    );
    EXPECT_EQ(
        thrown_error([&] { (void)folder.create_file(Parts{std::string(300, 'x')}, false); }).id(),
        "archive-name"
    );
}

TEST(Beneath, NeedsItsFolder) {
    EXPECT_EQ(
        thrown_error([] { (void)Beneath("/no/such/folder"); }).code(), ExitCode::surroundings
    );
}

INSTANTIATE_TEST_SUITE_P(
    Both,
    BeneathTest,
    testing::Values(Beneath::Resolve::kernel, Beneath::Resolve::walk),
    [](const auto& suite) { return suite.param == Beneath::Resolve::kernel ? "Kernel" : "Walk"; }
);

}  // namespace
}  // namespace wheelforge
