// SPDX-License-Identifier: Apache-2.0
// find-links and local indexes through PackageIndex, without any network.
#include <future>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "index/index.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::index {
namespace {

using support::thrown_error;

class LocalIndex : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "links-"};
    IndexSettings settings;

    void SetUp() override { settings.no_index = true; }

    ProjectPage project(const std::string& name) {
        PackageIndex index(settings);
        auto promise = std::make_shared<std::promise<ProjectPage>>();
        index.project(name, std::nullopt, [promise](ProjectPage page, std::exception_ptr error) {
            error ? promise->set_exception(error) : promise->set_value(std::move(page));
        });
        return promise->get_future().get();
    }
    PackageIndex::Download download(const DistributionFile& file, const fs::path& to) {
        PackageIndex index(settings);
        auto promise = std::make_shared<std::promise<PackageIndex::Download>>();
        index.download(file, to, [promise](PackageIndex::Download done, std::exception_ptr error) {
            error ? promise->set_exception(error) : promise->set_value(std::move(done));
        });
        return promise->get_future().get();
    }
};

TEST_F(LocalIndex, FolderGivesTheFilesOfAProject) {
    write_file(folder.path() / "a b/Flit_Core-3.9.0-py3-none-any.whl", "w");
    write_file(folder.path() / "a b/flit_core-3.9.0.tar.gz", "sdist");
    write_file(folder.path() / "a b/flit-1.0.tar.gz", "");
    write_file(folder.path() / "a b/notes.txt", "");
    settings.find_links = {(folder.path() / "a b").string()};
    const auto page = project("flit-core");
    ASSERT_EQ(page.files.size(), 2U);
    EXPECT_EQ(page.files[0].filename, "Flit_Core-3.9.0-py3-none-any.whl");
    EXPECT_EQ(page.files[1].url, file_url(folder.path() / "a b/flit_core-3.9.0.tar.gz"));
    EXPECT_EQ(page.files[1].size, 5U);
    EXPECT_TRUE(page.skipped.empty());
    EXPECT_EQ(project("flit").files.size(), 1U);
}

TEST_F(LocalIndex, FolderByUrlFileAndPageAreTheSame) {
    write_file(folder.path() / "click-1.0.tar.gz", "");
    write_file(folder.path() / "page.html", "<a href=click-1.0.tar.gz>any text</a><a href=x>y</a>");
    for (const auto& location :
         {file_url(folder.path()),
          (folder.path() / "click-1.0.tar.gz").string(),
          (folder.path() / "page.html").string(),
          file_url(folder.path() / "page.html")}) {
        settings.find_links = {location};
        ASSERT_EQ(project("click").files.size(), 1U) << location;
        EXPECT_EQ(project("click").files[0].url, file_url(folder.path() / "click-1.0.tar.gz"));
    }
}

TEST_F(LocalIndex, MissingFolderIsNoError) {
    settings.find_links = {(folder.path() / "no").string()};
    EXPECT_TRUE(project("click").files.empty());
}

TEST_F(LocalIndex, FileUrlOfAnotherHostIsRefused) {
    settings.find_links = {"file://elsewhere/srv"};
    EXPECT_EQ(thrown_error([&] { (void)project("click"); }).id(), "bad-find-links");
}

TEST_F(LocalIndex, IndexMayBeAFolderOfPages) {
    write_file(
        folder.path() / "click/index.html", "<a href=../f/click-1.0.tar.gz>click-1.0.tar.gz</a>"
    );
    settings.no_index = false;
    settings.index_urls = {file_url(folder.path())};
    const auto page = project("click");
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].url, file_url(folder.path() / "f/click-1.0.tar.gz"));
    EXPECT_EQ(page.files[0].index_url, file_url(folder.path()));
    EXPECT_TRUE(project("flask").files.empty());
    EXPECT_EQ(project("flask").name, "flask");
}

TEST_F(LocalIndex, FirstIndexThatKnowsTheNameWins) {
    write_file(folder.path() / "one/click/index.html", "<a href=click-1.0.tar.gz></a>");
    write_file(folder.path() / "two/click/index.html", "<a href=click-2.0.tar.gz></a>");
    write_file(folder.path() / "two/flask/index.html", "<a href=flask-2.0.tar.gz></a>");
    settings.no_index = false;
    settings.index_urls = {file_url(folder.path() / "one"), file_url(folder.path() / "two") + "/"};
    ASSERT_EQ(project("click").files.size(), 1U);
    EXPECT_EQ(project("click").files[0].version.text(), "1.0");
    EXPECT_EQ(project("flask").files.size(), 1U);
}

TEST_F(LocalIndex, DownloadCopiesAndChecks) {
    write_file(folder.path() / "click-1.0.tar.gz", "content");
    settings.find_links = {folder.path().string()};
    auto file = project("click").files.at(0);
    const auto done = download(file, folder.path() / "out");
    EXPECT_EQ(done.sha256, sha256("content"));
    EXPECT_FALSE(done.hash_was_stated);
    EXPECT_EQ(done.path, folder.path() / "out" / sha256("content") / "click-1.0.tar.gz");
    EXPECT_EQ(read_file(done.path), "content");

    file.hashes["sha256"] = std::string(64, '0');
    const auto error = thrown_error([&] { (void)download(file, folder.path() / "bad"); });
    EXPECT_EQ(error.id(), "hash-mismatch");
    EXPECT_EQ(error.code(), ExitCode::refused);
    EXPECT_TRUE(fs::is_empty(folder.path() / "bad"));
}

TEST_F(LocalIndex, DownloadRefusesNamesThatArePaths) {
    write_file(folder.path() / "x", "content");
    DistributionFile file;
    file.url = file_url(folder.path() / "x");
    for (const auto* name : {"", ".", "..", "../x", "a/b"}) {
        file.filename = name;
        EXPECT_EQ(
            thrown_error([&] { (void)download(file, folder.path() / "out"); }).id(),
            "bad-index-file"
        ) << name;
    }
}

TEST_F(LocalIndex, DownloadUsesWhatIsThereOnlyIfItIsStillRight) {
    const auto out = folder.path() / "out";
    DistributionFile file;
    file.filename = "click-1.0.tar.gz";
    file.url = file_url(folder.path() / "gone.tar.gz");
    file.hashes["sha256"] = sha256("content");
    const auto target = out / sha256("content") / file.filename;
    write_file(target, "content");
    EXPECT_EQ(download(file, out).path, target);

    write_file(target, "poison");
    EXPECT_EQ(thrown_error([&] { (void)download(file, out); }).id(), "index-file-missing");
    EXPECT_FALSE(fs::exists(target));
}

TEST_F(LocalIndex, DownloadSweepsWhatKilledOnesLeft) {
    const auto out = folder.path() / "out";
    write_file(out / ".incoming-old/part", "half");
    write_file(out / ".incoming-new/part", "half");
    write_file(out / "mine/old", "whole");
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(48);
    fs::last_write_time(out / ".incoming-old", long_ago);
    fs::last_write_time(out / "mine", long_ago);
    write_file(folder.path() / "click-1.0.tar.gz", "content");
    settings.find_links = {folder.path().string()};
    (void)download(project("click").files.at(0), out);
    EXPECT_FALSE(fs::exists(out / ".incoming-old"));
    EXPECT_TRUE(fs::exists(out / ".incoming-new/part"));
    EXPECT_TRUE(fs::exists(out / "mine/old"));
}

TEST_F(LocalIndex, AnswersEvenWhoAsksJustBeforeTheEnd) {
    write_file(folder.path() / "click-1.0.tar.gz", "content");
    settings.find_links = {folder.path().string()};
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> answers = 0;
        {
            PackageIndex index(settings);
            for (int i = 0; i < 50; ++i) {
                index.project(
                    "p" + std::to_string(i),
                    std::nullopt,
                    [&](ProjectPage, std::exception_ptr) { ++answers; }
                );
            }
        }
        EXPECT_EQ(answers, 50);
    }
}

}  // namespace
}  // namespace wheelforge::index
