// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/tree_digests.hpp"
#include "support/plain_file.hpp"

namespace wheelforge {
namespace {

class TreeDigests : public testing::Test {
protected:
    void SetUp() override {
        support::save(root() / "b" / "c", "text");
        support::save(root() / "a", "");
        fs::create_symlink("b/c", root() / "link");
    }
    [[nodiscard]] fs::path root() const { return folder_.path() / "tree"; }
    [[nodiscard]] std::optional<std::string> change_since(const std::string& before) const {
        return first_difference(before, tree_digests(root()));
    }

private:
    TempDir folder_{fs::temp_directory_path(), "digests-test-"};
};

TEST_F(TreeDigests, TellFilesAndLinksByPath) {
    EXPECT_EQ(
        tree_digests(root()), sha256("") + "   a\n" + sha256("text") + "   b/c\n-> b/c link\n"
    );
}

TEST_F(TreeDigests, ShowEveryChange) {
    const auto before = tree_digests(root());
    EXPECT_EQ(change_since(before), std::nullopt);
    support::save(root() / "b" / "c", "tExt");
    EXPECT_EQ(change_since(before), "b/c");
    support::save(root() / "b" / "c", "text");
    support::save(root() / "new", "");
    EXPECT_EQ(change_since(before), "new");
    fs::remove(root() / "new");
    fs::permissions(root() / "a", fs::perms::owner_exec, fs::perm_options::add);
    EXPECT_EQ(change_since(before), "a");
    fs::permissions(root() / "a", fs::perms::owner_exec, fs::perm_options::remove);
    fs::remove(root() / "link");
    EXPECT_EQ(change_since(before), "link");
    fs::create_symlink("a", root() / "link");
    EXPECT_EQ(change_since(before), "link");
    EXPECT_EQ(first_difference(before, ""), "a");
}

}  // namespace
}  // namespace wheelforge
