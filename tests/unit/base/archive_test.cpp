// SPDX-License-Identifier: Apache-2.0
// Archives as they should be; archive_hostile_test.cpp has the others.
#include <string>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/archive.hpp"
#include "base/files.hpp"
#include "support/plain_file.hpp"
#include "support/tar_builder.hpp"
#include "support/thrown_error.hpp"
#include "support/zip_builder.hpp"

namespace wheelforge {
namespace {

using support::gzip;
using support::TarBuilder;
using support::thrown_error;

class Archive : public testing::Test {
protected:
    fs::path save(const std::string& bytes, const std::string& name = "pkg-1.0.tar.gz") {
        return support::save(folder_.path() / name, bytes);
    }
    [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }
    UnpackedArchive unpack(const std::string& bytes, const ArchiveLimits& limits = {}) {
        return unpack_archive(save(bytes), out(), limits);
    }
    static unsigned mode(const fs::path& path) {
        struct stat status {};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return status.st_mode & 07777U;
    }
    static std::int64_t mtime(const fs::path& path) {
        struct stat status {};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return status.st_mtime;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "archive-test-"};
};

TarBuilder small() {
    TarBuilder tar;
    tar.folder("pkg-1.0/").file("pkg-1.0/setup.py", "setup()").file("pkg-1.0/src/a.c", "int a;");
    return tar;
}

TEST_F(Archive, UnpacksEveryCompression) {
    const std::string tar = small().finished();
    for (const std::string& bytes :
         {tar,
          gzip(tar),
          support::compress(tar, ARCHIVE_FILTER_BZIP2),
          support::compress(tar, ARCHIVE_FILTER_XZ)}) {
        const auto unpacked = unpack(bytes);
        EXPECT_EQ(unpacked.root, out() / "pkg-1.0");
        EXPECT_EQ(unpacked.files, 2U);
        EXPECT_EQ(unpacked.bytes, 13U);
        EXPECT_EQ(read_file(unpacked.root / "setup.py"), "setup()");
        EXPECT_EQ(read_file(unpacked.root / "src/a.c"), "int a;");
        remove_tree(out());
    }
}

TEST_F(Archive, UnpacksZipFiles) {
    support::ZipBuilder zip;
    zip.add("pkg-1.0/setup.py", "setup()");
    zip.add({.name = "pkg-1.0/run.sh", .content = "#!", .deflate = true, .mode = 0100755});
    const auto unpacked = unpack_archive(save(zip.bytes(), "pkg-1.0.zip"), out());
    EXPECT_EQ(read_file(unpacked.root / "setup.py"), "setup()");
    EXPECT_EQ(mode(unpacked.root / "run.sh"), 0755U);
    EXPECT_EQ(unpacked.newest_mtime, 315532800);  // 1980-01-01 UTC, whatever the local time zone
    EXPECT_EQ(mtime(unpacked.root / "setup.py"), 315532800);
}

TEST_F(Archive, AcceptsDotSlashAndMissingFolderEntries) {
    const auto unpacked = unpack(gzip(TarBuilder()
                                          .folder("./")
                                          .file("./pkg-1.0/setup.py", "a")
                                          .file("./pkg-1.0/x/y/z.py", "b")
                                          .folder("./pkg-1.0/x")
                                          .folder("./pkg-1.0/x/")
                                          .finished()));
    EXPECT_EQ(unpacked.root.filename(), "pkg-1.0");
    EXPECT_EQ(read_file(unpacked.root / "x/y/z.py"), "b");
}

TEST_F(Archive, PassesOverGitsGlobalHeader) {
    TarBuilder as_header;
    as_header.pax({{"comment", "0123456789abcdef"}}, 'g').file("pkg-1.0/a", "1");
    EXPECT_EQ(unpack(gzip(as_header.finished())).files, 1U);
    remove_tree(out());
    TarBuilder as_file;
    as_file.file("pax_global_header", "52 comment=x\n").file("pkg-1.0/a", "1");
    const auto unpacked = unpack(gzip(as_file.finished()));
    EXPECT_EQ(unpacked.files, 1U);
    EXPECT_FALSE(fs::exists(out() / "pax_global_header"));
}

TEST_F(Archive, MasksModes) {
    const auto root = unpack(gzip(TarBuilder()
                                      .file("p/setuid", "", 06777)
                                      .file("p/private", "", 0600)
                                      .file("p/script", "", 0100)
                                      .file("p/none", "", 0)
                                      .finished()))
                          .root;
    EXPECT_EQ(mode(root / "setuid"), 0755U);
    EXPECT_EQ(mode(root / "private"), 0644U);
    EXPECT_EQ(mode(root / "script"), 0755U);
    EXPECT_EQ(mode(root / "none"), 0644U);
    EXPECT_EQ(mode(root), 0755U);
}

TEST_F(Archive, KeepsTimesAndTellsTheNewest) {
    TarBuilder tar;
    tar.file_at("p/old", 1'000'000'000).file_at("p/new", 1'700'000'123).file_at("p/older", 5);
    tar.pax({{"mtime", "-77.5"}}).file("p/negative", "");
    tar.pax({{"mtime", "99999999999999"}}).file("p/future", "");
    const auto unpacked = unpack(gzip(tar.finished()));
    EXPECT_EQ(mtime(unpacked.root / "old"), 1'000'000'000);
    EXPECT_EQ(mtime(unpacked.root / "new"), 1'700'000'123);
    EXPECT_EQ(mtime(unpacked.root / "negative"), 0);
    EXPECT_EQ(unpacked.newest_mtime, 4354819198);
}

TEST_F(Archive, MakesLinksThatStayInside) {
    TarBuilder tar;
    tar.file("p/docs/changes.rst", "text").symlink("p/CHANGES", "docs/changes.rst");
    tar.symlink("p/docs/up", "../docs").symlink("p/dangling", "not/there");
    tar.hard_link("p/again", "p/docs/changes.rst").hard_link("p/thrice", "./p/again");
    const auto unpacked = unpack(gzip(tar.finished()));
    EXPECT_EQ(read_file(unpacked.root / "CHANGES"), "text");
    EXPECT_EQ(fs::read_symlink(unpacked.root / "docs/up"), "../docs");
    EXPECT_EQ(read_file(unpacked.root / "again"), "text");
    EXPECT_EQ(fs::hard_link_count(unpacked.root / "thrice"), 3U);
    EXPECT_EQ(unpacked.files, 6U);
}

TEST_F(Archive, KeepsLongAndForeignNames) {
    const std::string long_name = "p/" + std::string(150, 'l') + "/" + std::string(255, 'n');
    const std::string decomposed = "p/e\xcc\x81.txt";
    TarBuilder tar;
    tar.pax({{"path", long_name}}).file("p/short", "pax");
    tar.gnu_long_name("p/" + std::string(120, 'g')).file("p/short2", "gnu");
    tar.pax({{"path", decomposed}}).file("p/ascii", "nfd").file("p/\xc3\xa9", "plain");
    const auto root = unpack(gzip(tar.finished())).root;
    EXPECT_EQ(read_file(out() / long_name), "pax");
    EXPECT_EQ(read_file(root / std::string(120, 'g')), "gnu");
    EXPECT_EQ(read_file(out() / decomposed), "nfd");  // not recomposed to another name
    EXPECT_EQ(read_file(root / "\xc3\xa9"), "plain");
}

TEST_F(Archive, AcceptsSeveralGzipMembersAndZeroPadding) {
    const std::string tar = small().finished();
    const auto half = tar.size() / 2;
    EXPECT_EQ(unpack(gzip(tar.substr(0, half)) + gzip(tar.substr(half))).files, 2U);
    remove_tree(out());
    EXPECT_EQ(unpack(gzip(tar + std::string(9000, '\0')) + std::string(700'000, '\0')).files, 2U);
}

TEST_F(Archive, UnpacksContentThatSpansManyPieces) {
    std::string content;
    for (unsigned i = 0; content.size() < 2'500'000; ++i) {
        content += std::to_string(i * 2654435761U);
    }
    TarBuilder tar;
    tar.file("p/big", content).pax({{"path", "p/renamed"}}).file("p/x", "after");
    const auto root = unpack(gzip(tar.finished())).root;
    EXPECT_EQ(read_file(root / "big"), content);
    EXPECT_EQ(read_file(root / "renamed"), "after");
}

TEST_F(Archive, NeedsAnEmptyDestination) {
    support::save(out() / "there", "");
    const Error error = thrown_error([&] { (void)unpack(gzip(small().finished())); });
    EXPECT_EQ(error.id(), "archive-destination");
    EXPECT_TRUE(fs::exists(out() / "there"));
}

TEST_F(Archive, FilesAreReadOneAfterAnother) {
    TarBuilder tar = small();
    tar.file("pkg-1.0/large.py", std::string(100, 'x'));
    tar.symlink("pkg-1.0/link.py", "setup.py").hard_link("pkg-1.0/same.py", "pkg-1.0/src/a.c");
    std::vector<std::string> seen;
    read_files(
        save(tar.finished()),
        99,
        [](std::string_view name) { return name.ends_with(".py"); },
        [&](std::string_view name, const std::string& text) {
            seen.push_back(std::string(name) + ": " + text);
        }
    );
    EXPECT_EQ(seen, std::vector<std::string>{"setup.py: setup()"});
}

TEST_F(Archive, WhatIsNotReadIsJudgedAllTheSame) {
    TarBuilder tar = small();
    tar.file("pkg-1.0/../../evil.txt", "out of here");
    const fs::path archive = save(tar.finished());
    const auto error = thrown_error([&] {
        read_files(
            archive,
            99,
            [](std::string_view) { return false; },
            [](std::string_view, std::string) {}
        );
    });
    EXPECT_EQ(error.code(), ExitCode::refused);
}

TEST_F(Archive, PeekReadsWantedMembersWithoutTheirRoot) {
    const auto path = save(gzip(TarBuilder()
                                    .folder("pkg-1.0")
                                    .file("pkg-1.0/PKG-INFO", "Name: pkg")
                                    .file("pkg-1.0/sub/PKG-INFO", "other")
                                    .file_at("pkg-1.0/late", 1'700'000'000)
                                    .finished()));
    std::vector<std::string> asked;
    const auto peek = peek_archive(path, [&](std::string_view name) {
        asked.emplace_back(name);
        return name == "PKG-INFO";
    });
    EXPECT_EQ(peek.root, "pkg-1.0");
    ASSERT_EQ(peek.members.size(), 1U);
    EXPECT_EQ(peek.members[0].name, "PKG-INFO");
    EXPECT_EQ(peek.members[0].content, "Name: pkg");
    EXPECT_EQ(peek.newest_mtime, 1'700'000'000);
    EXPECT_EQ(asked, (std::vector<std::string>{"PKG-INFO", "sub/PKG-INFO", "late"}));
}

TEST_F(Archive, PeekStopsWhenEverythingWasSeen) {
    // What follows is damaged, which a full pass would notice.
    const std::string bytes = TarBuilder()
                                  .file("p/PKG-INFO", "1")
                                  .file("p/pyproject.toml", "2")
                                  .raw(std::string(2048, 'x'))
                                  .unfinished();
    const auto path = save(bytes, "p.tar");
    const auto everything = [](std::string_view) { return true; };
    EXPECT_EQ(peek_archive(path, everything, {"pyproject.toml", "PKG-INFO"}).members.size(), 2U);
    EXPECT_EQ(thrown_error([&] { (void)peek_archive(path, everything); }).id(), "archive-damaged");
}

TEST_F(Archive, PeekFollowsLinksToWhatTheyName) {
    TarBuilder tar;
    tar.symlink("p/py/pyproject.toml", "../shared/pyproject.toml");
    tar.file("p/shared/pyproject.toml", "[build-system]").file("p/PKG", "Name: p");
    tar.hard_link("p/PKG-INFO", "p/PKG").symlink("p/setup.py", "gone");
    const auto peek = peek_archive(save(gzip(tar.finished())), [](std::string_view name) {
        return name == "py/pyproject.toml" || name == "PKG-INFO" || name == "setup.py";
    });
    ASSERT_EQ(peek.members.size(), 2U);
    EXPECT_EQ(peek.members[0].name, "PKG-INFO");
    EXPECT_EQ(peek.members[0].content, "Name: p");
    EXPECT_EQ(peek.members[1].content, "[build-system]");
}

}  // namespace
}  // namespace wheelforge
