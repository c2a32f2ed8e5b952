// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "index/page_cache.hpp"

namespace wheelforge::index {
namespace {

constexpr const char* page_url = "https://i.example/simple/click/";

CachedPage example() {
    CachedPage cached;
    cached.fetched = 1'700'000'000;
    cached.etag = "\"abc\"";
    cached.page.url = "https://mirror.example/simple/click/";
    cached.page.status = "archived";
    cached.page.status_reason = "done";
    Link all;
    all.url = "https://f.example/click-1.0-py3-none-any.whl";
    all.text = "click-1.0-py3-none-any.whl";
    all.hashes = {{"md5", "x"}, {"sha256", "y"}};
    all.requires_python = ">=3.7";
    all.yanked = "";
    all.size = 12;
    all.upload_time = "2023-08-17T17:29:11Z";
    all.metadata_hashes.emplace();
    Link bare;
    bare.url = "https://f.example/get?click";
    bare.text = "click-1.0.tar.gz";
    cached.page.links = {all, bare};
    return cached;
}

void expect_equal(const Link& a, const Link& b) {
    EXPECT_EQ(a.url, b.url);
    EXPECT_EQ(a.text, b.text);
    EXPECT_EQ(a.hashes, b.hashes);
    EXPECT_EQ(a.requires_python, b.requires_python);
    EXPECT_EQ(a.yanked, b.yanked);
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.upload_time, b.upload_time);
    EXPECT_EQ(a.metadata_hashes, b.metadata_hashes);
}

void expect_equal(const CachedPage& a, const CachedPage& b) {
    EXPECT_EQ(a.known, b.known);
    EXPECT_EQ(a.fetched, b.fetched);
    EXPECT_EQ(a.etag, b.etag);
    EXPECT_EQ(a.page.url, b.page.url);
    EXPECT_EQ(a.page.status, b.page.status);
    EXPECT_EQ(a.page.status_reason, b.page.status_reason);
    ASSERT_EQ(a.page.links.size(), b.page.links.size());
    for (std::size_t i = 0; i < a.page.links.size(); ++i) {
        expect_equal(a.page.links[i], b.page.links[i]);
    }
}

class PageCacheTest : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "cache-"};
    PageCache cache{folder.path()};
    [[nodiscard]] fs::path only_file() const {
        return fs::directory_iterator(folder.path())->path();
    }
};

TEST_F(PageCacheTest, GivesBackWhatItGot) {
    cache.store(page_url, example());
    const auto loaded = cache.load(page_url);
    ASSERT_TRUE(loaded);
    expect_equal(*loaded, example());
    EXPECT_FALSE(cache.load("https://i.example/simple/flask/"));
}

TEST_F(PageCacheTest, RemembersThatAProjectIsUnknown) {
    CachedPage unknown;
    unknown.known = false;
    cache.store(page_url, unknown);
    ASSERT_TRUE(cache.load(page_url));
    EXPECT_FALSE(cache.load(page_url)->known);
}

TEST_F(PageCacheTest, TakesDamagedFilesForAbsentOnes) {
    cache.store(page_url, example());
    const auto path = only_file();
    const auto whole = read_file(path);
    for (std::size_t length = 0; length + 1 < whole.size(); length += 7) {
        write_file(path, whole.substr(0, length));
        EXPECT_FALSE(cache.load(page_url)) << length;
    }
    for (const auto* text :
         {"null",
          "[]",
          "{}",
          R"({"format": 99})",
          R"({"format": 1, "asked": "https://i.example/simple/click/", "files": 1})"}) {
        write_file(path, text);
        EXPECT_FALSE(cache.load(page_url)) << text;
    }
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_FALSE(cache.load(page_url));
    cache.store(page_url, example());  // cannot be written, and that is no failure
}

TEST_F(PageCacheTest, TakesAFileOfAnotherPageForAbsent) {
    EXPECT_FALSE(deserialize_page("https://other.example/", serialize_page(page_url, example())));
}

TEST_F(PageCacheTest, KeepsMetadataUnderItsDigest) {
    EXPECT_FALSE(cache.load_metadata("key"));
    cache.store_metadata("key", "Name: click\n");
    EXPECT_EQ(cache.load_metadata("key"), "Name: click\n");
    EXPECT_FALSE(cache.load_metadata("other"));
    const auto text = read_file(only_file());
    write_file(only_file(), text.substr(0, text.size() - 1));
    EXPECT_FALSE(cache.load_metadata("key"));
    write_file(only_file(), "short");
    EXPECT_FALSE(cache.load_metadata("key"));
}

TEST(PageCache, WithoutAFolderKeepsNothing) {
    const PageCache cache{fs::path()};
    cache.store(page_url, example());
    cache.store_metadata("key", "x");
    EXPECT_FALSE(cache.load(page_url));
    EXPECT_FALSE(cache.load_metadata("key"));
}

}  // namespace
}  // namespace wheelforge::index
