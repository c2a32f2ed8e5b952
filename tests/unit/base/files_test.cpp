// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using support::thrown_error;

class Files : public testing::Test {
protected:
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& entry : fs::directory_iterator(folder())) {
            out.push_back(entry.path().filename().string());
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    static mode_t mode(const fs::path& path) {
        struct stat info {};
        EXPECT_EQ(::stat(path.c_str(), &info), 0);
        return info.st_mode & 07777U;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "files-test-"};
};

using Names = std::vector<std::string>;

TEST_F(Files, AreReadAsTheyWereWritten) {
    const std::string content("a\0b\r\n\xff", 6);
    write_file(folder() / "new" / "deep" / "f", content);
    EXPECT_EQ(read_file(folder() / "new" / "deep" / "f"), content);
    EXPECT_EQ(mode(folder() / "new" / "deep" / "f"), 0644U);
}

TEST_F(Files, AreReplacedAsAWhole) {
    write_file(folder() / "f", "a long first content");
    write_file(folder() / "f", "second");
    EXPECT_EQ(read_file(folder() / "f"), "second");
    EXPECT_EQ(names(), Names{"f"});
}

TEST_F(Files, MayHaveTheLongestPossibleName) {
    const std::string name(255, 'n');
    write_file(folder() / name, "x");
    EXPECT_EQ(read_file(folder() / name), "x");
}

TEST_F(Files, ThatAreTooLongAreRefused) {
    write_file(folder() / "f", "12345");
    EXPECT_EQ(read_file(folder() / "f", 5), "12345");
    const auto error = thrown_error([&] { (void)read_file(folder() / "f", 4); });
    EXPECT_EQ(error.id(), "file-too-large");
}

TEST_F(Files, ThatNeverEndAreRefusedToo) {
    EXPECT_EQ(thrown_error([] { (void)read_file("/dev/zero", 1000); }).id(), "file-too-large");
}

TEST_F(Files, ThatAreMissingAreAnErrorOrNothing) {
    const auto error = thrown_error([&] { (void)read_file(folder() / "none"); });
    EXPECT_EQ(error.id(), "cannot-read");
    EXPECT_EQ(error.code(), ExitCode::surroundings);
    EXPECT_NE(error.message().find((folder() / "none").string()), std::string::npos);
    EXPECT_EQ(read_file_if_there(folder() / "none"), std::nullopt);
    write_file(folder() / "f", "");
    EXPECT_EQ(read_file_if_there(folder() / "f" / "below"), std::nullopt);
    EXPECT_EQ(read_file_if_there(folder() / "f"), "");
}

TEST_F(Files, FolderIsNoFile) {
    EXPECT_EQ(thrown_error([&] { (void)read_file(folder()); }).id(), "cannot-read");
    EXPECT_EQ(thrown_error([&] { (void)read_file_if_there(folder()); }).id(), "cannot-read");
}

TEST_F(Files, CannotBeWrittenBelowAFile) {
    write_file(folder() / "f", "");
    EXPECT_EQ(thrown_error([&] { write_file(folder() / "f" / "g", ""); }).id(), "cannot-write");
}

TEST_F(Files, AtomicFileIsInvisibleUntilCommitted) {
    {
        AtomicFile file(folder() / "f");
        file.write("half");
        EXPECT_FALSE(fs::exists(folder() / "f"));
        EXPECT_TRUE(fs::exists(file.temporary_path()));
    }
    EXPECT_EQ(names(), Names{});
    AtomicFile file(folder() / "f");
    file.write("wh");
    file.write("ole");
    file.commit();
    EXPECT_EQ(read_file(folder() / "f"), "whole");
    EXPECT_EQ(names(), Names{"f"});
}

TEST_F(Files, AtomicFileLeavesTheOldContentWhenDiscarded) {
    write_file(folder() / "f", "old");
    { AtomicFile(folder() / "f").write("new"); }
    EXPECT_EQ(read_file(folder() / "f"), "old");
}

TEST_F(Files, AtomicFileThatWasMovedIsWrittenOnce) {
    AtomicFile first(folder() / "f");
    first.write("a");
    {
        AtomicFile second(std::move(first));
        second.write("b");
        second.commit();
    }
    EXPECT_EQ(read_file(folder() / "f"), "ab");
    EXPECT_EQ(names(), Names{"f"});
}

TEST_F(Files, AtomicFileCannotReplaceAFolder) {
    fs::create_directory(folder() / "d");
    const auto error = thrown_error([&] { write_file(folder() / "d", "x"); });
    EXPECT_EQ(error.id(), "cannot-write");
    EXPECT_EQ(names(), Names{"d"});
}

TEST_F(Files, PublishCopySharesTheContentAndKeepsTheSource) {
    write_file(folder() / "from", "content");
    publish_copy(folder() / "from", folder() / "sub" / "to");
    EXPECT_EQ(read_file(folder() / "from"), "content");
    EXPECT_EQ(read_file(folder() / "sub" / "to"), "content");
    EXPECT_TRUE(fs::equivalent(folder() / "from", folder() / "sub" / "to"));
}

TEST_F(Files, PublishCopyAgainLeavesNothingBehind) {
    write_file(folder() / "from", "content");
    publish_copy(folder() / "from", folder() / "to");
    publish_copy(folder() / "from", folder() / "to");
    EXPECT_EQ(names(), (Names{"from", "to"}));
    write_file(folder() / "other", "new");
    publish_copy(folder() / "other", folder() / "to");
    EXPECT_EQ(read_file(folder() / "to"), "new");
    EXPECT_EQ(read_file(folder() / "from"), "content");
}

TEST_F(Files, PublishCopyFollowsALinkToItsContent) {
    write_file(folder() / "real", "content");
    fs::create_symlink("real", folder() / "link");
    publish_copy(folder() / "link", folder() / "sub" / "to");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder() / "sub" / "to")));
}

TEST_F(Files, PublishCopyCopiesWhereThereAreNoLinks) {
    // /proc is another file system, so no link can lead there.
    publish_copy("/proc/self/comm", folder() / "to");
    EXPECT_FALSE(read_file(folder() / "to").empty());
    EXPECT_EQ(names(), Names{"to"});
}

TEST_F(Files, PublishCopyOfNothingIsAnError) {
    const auto error = thrown_error([&] { publish_copy(folder() / "none", folder() / "to"); });
    EXPECT_EQ(error.id(), "cannot-read");
    EXPECT_EQ(names(), Names{});
}

TEST_F(Files, RemoveTreeTakesReadOnlyFoldersToo) {
    write_file(folder() / "t" / "a" / "b" / "f", "");
    fs::create_symlink("/", folder() / "t" / "a" / "root");
    fs::permissions(folder() / "t" / "a" / "b", fs::perms::none);
    fs::permissions(folder() / "t" / "a", fs::perms::owner_read | fs::perms::owner_exec);
    remove_tree(folder() / "t");
    EXPECT_EQ(names(), Names{});
    remove_tree(folder() / "t");
}

TEST_F(Files, RemoveTreeDoesNotFollowLinks) {
    write_file(folder() / "keep" / "f", "");
    fs::create_directory(folder() / "t");
    fs::create_directory_symlink(folder() / "keep", folder() / "t" / "link");
    remove_tree(folder() / "t");
    EXPECT_TRUE(fs::exists(folder() / "keep" / "f"));
}

TEST_F(Files, TreeSizeCountsRegularFilesOnce) {
    write_file(folder() / "a", "12345");
    write_file(folder() / "d" / "b", "123");
    fs::create_symlink(folder() / "a", folder() / "link");
    EXPECT_EQ(tree_size(folder()), 8U);
    EXPECT_EQ(thrown_error([&] { (void)tree_size(folder() / "none"); }).id(), "cannot-read");
}

TEST_F(Files, TempDirIsPrivateAndRemoved) {
    fs::path path;
    {
        const TempDir temporary(folder() / "made", "x-");
        path = temporary.path();
        EXPECT_EQ(mode(path), 0700U);
        EXPECT_TRUE(path.filename().string().starts_with("x-"));
        write_file(path / "f", "");
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(folder() / "made"));
}

TEST_F(Files, TempDirStaysWhenReleased) {
    fs::path path;
    {
        TempDir temporary(folder());
        path = temporary.release();
    }
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(Files, TempDirIsRemovedByTheLastOwner) {
    TempDir one(folder());
    const fs::path path = one.path();
    {
        TempDir two(std::move(one));
        TempDir three(folder());
        three = std::move(two);
        EXPECT_EQ(three.path(), path);
    }
    EXPECT_EQ(names(), Names{});
}

TEST_F(Files, PublishDirectoryMovesItIntoPlace) {
    write_file(folder() / "from" / "f", "1");
    EXPECT_TRUE(publish_directory(folder() / "from", folder() / "sub" / "to"));
    EXPECT_EQ(read_file(folder() / "sub" / "to" / "f"), "1");
    EXPECT_FALSE(fs::exists(folder() / "from"));
}

TEST_F(Files, PublishDirectoryLosesAgainstWhatIsThere) {
    write_file(folder() / "from" / "f", "mine");
    write_file(folder() / "to" / "f", "theirs");
    EXPECT_FALSE(publish_directory(folder() / "from", folder() / "to"));
    EXPECT_EQ(read_file(folder() / "to" / "f"), "theirs");
    EXPECT_EQ(names(), Names{"to"});
    fs::create_directory(folder() / "empty");
    write_file(folder() / "from" / "f", "mine");
    EXPECT_FALSE(publish_directory(folder() / "from", folder() / "empty"));
}

TEST_F(Files, PublishDirectoryOfNothingIsAnError) {
    EXPECT_EQ(
        thrown_error([&] { (void)publish_directory(folder() / "none", folder() / "to"); }).id(),
        "cannot-read"
    );
}

TEST_F(Files, LockIsHeldByOne) {
    const auto path = folder() / "locks" / "one";
    auto first = FileLock::acquire(path, FileLock::Wait::yes);
    ASSERT_TRUE(first);
    EXPECT_FALSE(FileLock::acquire(path, FileLock::Wait::no));
    EXPECT_TRUE(FileLock::acquire(folder() / "locks" / "two", FileLock::Wait::no));
    {
        const FileLock moved(std::move(*first));
        first.reset();
        EXPECT_FALSE(FileLock::acquire(path, FileLock::Wait::no));
    }
    EXPECT_TRUE(FileLock::acquire(path, FileLock::Wait::no));
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(Files, LockThatCannotBeMadeIsAnError) {
    EXPECT_EQ(
        thrown_error([&] { (void)FileLock::acquire(folder(), FileLock::Wait::no); }).id(),
        "cannot-write"
    );
}

TEST(Home, IsTheVariableElseTheDatabase) {
    const char* before = std::getenv("HOME");
    const std::string saved = before == nullptr ? "" : before;
    ::setenv("HOME", "/somewhere", 1);
    EXPECT_EQ(home_directory(), "/somewhere");
    ::unsetenv("HOME");
    EXPECT_TRUE(home_directory().is_absolute());
    ::setenv("HOME", saved.c_str(), 1);
}

}  // namespace
}  // namespace wheelforge
