// SPDX-License-Identifier: Apache-2.0
// Archives made to do harm: each is refused by its rule, and nothing of it stays on the disk.
#include <functional>
#include <string>
#include <vector>

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

class HostileArchive : public testing::Test {
protected:
    [[nodiscard]] fs::path archive() const { return folder_.path() / "pkg-1.0.tar.gz"; }
    [[nodiscard]] fs::path out() const { return folder_.path() / "nested" / "out"; }

    /// @returns the error of unpacking, once it is known that nothing was left anywhere.
    Error refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
        support::save(archive(), bytes);
        const Error error = thrown_error([&] { (void)unpack_archive(archive(), out(), limits); });
        EXPECT_FALSE(fs::exists(out())) << error.message();
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
            EXPECT_TRUE(entry.path() == archive() || entry.path() == out().parent_path())
                << entry.path();
        }
        EXPECT_EQ(error.code(), ExitCode::refused) << error.message();
        return error;
    }
    std::string refused_as(const TarBuilder& tar) { return refusal(gzip(tar.finished())).id(); }
    Error peek_refusal(const std::string& bytes) {
        support::save(archive(), bytes);
        return thrown_error([&] {
            (void)peek_archive(archive(), [](std::string_view name) { return name == "PKG-INFO"; });
        });
    }

private:
    TempDir folder_{fs::temp_directory_path(), "hostile-test-"};
};

TEST_F(HostileArchive, NamesThatLeadOutsideAreRefused) {
    for (const char* name :
         {"../evil", "p/../../evil", "/tmp/evil", "p/..", "..", "p/a\nb", "p/\xff"}) {
        EXPECT_EQ(refused_as(TarBuilder().file("p/good", "1").file(name, "2")), "archive-name")
            << name;
    }
}

TEST_F(HostileArchive, ExtendedNamesAreJudgedToo) {
    EXPECT_EQ(
        refused_as(TarBuilder().pax({{"path", "p/../../evil"}}).file("p/a", "1")), "archive-name"
    );
    EXPECT_EQ(refused_as(TarBuilder().gnu_long_name("/evil").file("p/a", "1")), "archive-name");
    EXPECT_EQ(
        refused_as(TarBuilder().pax({{"path", "p/" + std::string(256, 'a')}}).file("p/a", "")),
        "archive-name"
    );
    std::string deep = "p";
    while (deep.size() <= 4096) {
        deep += "/" + std::string(200, 'd');
    }
    EXPECT_EQ(refused_as(TarBuilder().pax({{"path", deep}}).file("p/a", "")), "archive-name");
}

TEST_F(HostileArchive, NamesCutByNulAreRefused) {
    const std::string name("p/good\0/../../evil", 18);
    EXPECT_EQ(refused_as(TarBuilder().pax({{"path", name}}).file("p/a", "1")), "archive-name");
    EXPECT_EQ(refused_as(TarBuilder().gnu_long_name(name).file("p/a", "1")), "archive-name");
    TarBuilder later;
    later.file("p/first", std::string(1'200'000, 'x')).pax({{"path", name}}).file("p/a", "1");
    EXPECT_EQ(refused_as(later), "archive-name");
}

TEST_F(HostileArchive, GlobalHeadersMayNotRename) {
    EXPECT_EQ(refused_as(TarBuilder().pax({{"path", "p/b"}}, 'g').file("p/a", "")), "archive-name");
}

TEST_F(HostileArchive, LinksThatLeadOutsideAreRefused) {
    for (const char* target : {"/etc/passwd", "..", "../other", "a/../../x", "/"}) {
        EXPECT_EQ(refused_as(TarBuilder().symlink("p/link", target)), "archive-link") << target;
    }
    // Each is harmless as text; together they lead out.
    TarBuilder chain;
    chain.folder("p/a").symlink("p/a/x", ".").symlink("p/out", "a/x/../..");
    EXPECT_EQ(refused_as(chain), "archive-link");
    EXPECT_EQ(refused_as(TarBuilder().symlink("p/a", "b").symlink("p/b", "a")), "archive-link");
}

TEST_F(HostileArchive, NothingIsWrittenThroughALink) {
    TarBuilder folder_link;
    folder_link.folder("p/real").symlink("p/link", "real").file("p/link/file", "1");
    EXPECT_EQ(refused_as(folder_link), "archive-link");
    TarBuilder file_link;
    file_link.symlink("p/link", "target").file("p/link", "1");
    EXPECT_EQ(refused_as(file_link), "archive-duplicate");
    TarBuilder folder_again;
    folder_again.symlink("p/link", "target").folder("p/link");
    EXPECT_EQ(refused_as(folder_again), "archive-link");
    EXPECT_EQ(refused_as(TarBuilder().symlink("p", "q").file("p/a", "")), "archive-roots");
}

TEST_F(HostileArchive, HardLinksOnlyToFilesSeenBefore) {
    for (const char* target : {"/etc/passwd", "../x", "p/later", "p/folder", "p/link", ""}) {
        TarBuilder tar;
        tar.folder("p/folder").symlink("p/link", "folder").file("p/file", "1");
        tar.hard_link("p/hard", target).file("p/later", "");
        EXPECT_EQ(refused_as(tar), "archive-link") << target;
    }
}

TEST_F(HostileArchive, DevicesAndFifosAreRefused) {
    for (const char type : {'3', '4', '6'}) {
        EXPECT_EQ(refused_as(TarBuilder().special("p/device", type)), "archive-special") << type;
    }
}

TEST_F(HostileArchive, DuplicatesAreRefused) {
    EXPECT_EQ(
        refused_as(TarBuilder().file("p/PKG-INFO", "a").file("p/PKG-INFO", "b")),
        "archive-duplicate"
    );
    EXPECT_EQ(refused_as(TarBuilder().file("p/a", "1").file("./p//a", "2")), "archive-duplicate");
    EXPECT_EQ(
        refused_as(TarBuilder().file("p/a", "", 0644).file("p/a", "", 0755)), "archive-duplicate"
    );
    EXPECT_EQ(
        refused_as(TarBuilder().file("p/a", "").hard_link("p/b", "p/a").file("p/b", "")),
        "archive-duplicate"
    );
    EXPECT_EQ(
        refused_as(TarBuilder().file("p/a", "").symlink("p/l", "a").symlink("p/l", "a")),
        "archive-duplicate"
    );
    EXPECT_EQ(refused_as(TarBuilder().file("p/a", "").folder("p/a")), "archive-duplicate");
    EXPECT_EQ(refused_as(TarBuilder().file("p/a/b", "").file("p/a", "")), "archive-duplicate");
    EXPECT_EQ(refused_as(TarBuilder().file("p/a", "").file("p/a/b", "")), "archive-duplicate");
}

TEST_F(HostileArchive, AFileListedTwiceWithTheSameBytesIsTold) {
    support::save(
        archive(),
        gzip(TarBuilder()
                 .file("p/LICENSE", "free")
                 .file("p/a", "1")
                 .file("./p/LICENSE", "free")
                 .finished())
    );
    const std::vector<std::string> told{"\"p/LICENSE\" is listed more than once, the same each time"
    };
    const auto unpacked = unpack_archive(archive(), out());
    EXPECT_EQ(unpacked.files, 2U);
    EXPECT_EQ(unpacked.notices, told);
    EXPECT_EQ(read_file(out() / "p" / "LICENSE"), "free");
    const auto peek =
        peek_archive(archive(), [](std::string_view name) { return name == "LICENSE"; });
    EXPECT_EQ(peek.notices, told);
    ASSERT_EQ(peek.members.size(), 1U);
    EXPECT_EQ(peek.members.front().content, "free");
}

TEST_F(HostileArchive, ZipFilesMayNotListAFileTwice) {
    support::ZipBuilder zip;
    zip.add("p/a", "1").add("p/a", "1");
    EXPECT_EQ(refusal(zip.bytes()).id(), "zip-duplicate");
}

TEST_F(HostileArchive, NamesThatCollideElsewhereAreTold) {
    support::save(
        archive(), gzip(TarBuilder().file("p/README", "1").file("p/Readme", "2").finished())
    );
    const auto unpacked = unpack_archive(archive(), out());
    EXPECT_EQ(unpacked.files, 2U);
    ASSERT_EQ(unpacked.notices.size(), 1U);
    EXPECT_NE(unpacked.notices.front().find("p/Readme"), std::string::npos);
}

TEST_F(HostileArchive, ExactlyOneRootFolder) {
    EXPECT_EQ(refused_as(TarBuilder().file("p/a", "").file("q/a", "")), "archive-roots");
    EXPECT_EQ(refused_as(TarBuilder().file("setup.py", "")), "archive-roots");
    EXPECT_EQ(refused_as(TarBuilder().file("p/a", "").file("stray", "")), "archive-roots");
    EXPECT_EQ(refused_as(TarBuilder()), "archive-roots");
    EXPECT_EQ(refusal(TarBuilder().finished()).id(), "archive-unknown");  // nothing but zeros
    EXPECT_EQ(refused_as(TarBuilder().folder("./")), "archive-roots");
}

TEST_F(HostileArchive, SparseFilesAreRefused) {
    std::string map = "1\n1022\n2\n";
    map.resize(TarBuilder::block, '\0');
    TarBuilder pax;
    pax.pax(
        {{"GNU.sparse.major", "1"},
         {"GNU.sparse.minor", "0"},
         {"GNU.sparse.name", "p/holes"},
         {"GNU.sparse.realsize", "1024"}}
    );
    pax.file("p/GNUSparseFile.0/holes", map + "ab");
    EXPECT_EQ(refused_as(pax), "archive-sparse");
    EXPECT_EQ(refused_as(TarBuilder().member({"p/old", 'S', "", 0}, "")), "archive-sparse");
}

TEST_F(HostileArchive, CutOffAndDamagedFilesAreRefused) {
    const std::string tar = TarBuilder().file("p/a", std::string(3000, 'a')).finished();
    const std::string packed = gzip(tar);
    EXPECT_EQ(refusal(packed.substr(0, packed.size() - 9)).id(), "archive-damaged");
    EXPECT_EQ(refusal(packed.substr(0, packed.size() - 1)).id(), "archive-damaged");
    std::string bad_crc = packed;
    bad_crc[bad_crc.size() - 6] = static_cast<char>(bad_crc[bad_crc.size() - 6] ^ 1);
    EXPECT_EQ(refusal(bad_crc).id(), "archive-damaged");
    EXPECT_EQ(refusal(tar.substr(0, 1500)).id(), "archive-damaged");
    EXPECT_EQ(refusal(gzip(tar.substr(0, 1500))).id(), "archive-damaged");
    EXPECT_EQ(refusal(TarBuilder().file("p/a", "x").unfinished()).id(), "archive-damaged");
    std::string bad_header = tar;
    bad_header[3] = 'X';
    EXPECT_EQ(refusal(bad_header).id(), "archive-damaged");
    for (const int filter : {ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ}) {
        const std::string other = support::compress(tar, filter);
        EXPECT_EQ(refusal(other.substr(0, other.size() - 5)).id(), "archive-damaged");
    }
}

TEST_F(HostileArchive, WhatFollowsTheEndIsRefused) {
    const std::string tar = TarBuilder().file("p/a", "x").finished();
    EXPECT_EQ(refusal(gzip(tar) + "junk").id(), "archive-trailing");
    EXPECT_EQ(refusal(gzip(tar) + std::string(300'000, '\0') + "junk").id(), "archive-trailing");
    EXPECT_EQ(refusal(gzip(tar + "junk")).id(), "archive-trailing");
    EXPECT_EQ(
        refusal(gzip(tar + std::string(4'000'000, '\0') + TarBuilder().file("p/b", "").finished()))
            .id(),
        "archive-trailing"
    );
    EXPECT_EQ(
        refusal(support::compress(tar, ARCHIVE_FILTER_BZIP2) + "junk").id(), "archive-trailing"
    );
    EXPECT_EQ(refusal(support::compress(tar, ARCHIVE_FILTER_XZ) + "junk").id(), "archive-damaged");
}

TEST_F(HostileArchive, AWebPageIsToldAsSuch) {
    const Error page = refusal("\n<!DOCTYPE html><html><body>Please log in</body></html>");
    EXPECT_EQ(page.id(), "archive-unknown");
    EXPECT_NE(page.message().find("web page"), std::string::npos);
    EXPECT_FALSE(page.advice().empty());
    EXPECT_EQ(refusal("").id(), "archive-unknown");
    EXPECT_EQ(refusal("Rar!\x1a\x07").id(), "archive-unknown");
    EXPECT_EQ(refusal(gzip("<html>not a tar</html>")).id(), "archive-damaged");
    EXPECT_EQ(refusal(gzip("")).id(), "archive-damaged");
}

TEST_F(HostileArchive, LimitsAreKeptWhileUnpacking) {
    TarBuilder tar;
    for (int i = 0; i < 20; ++i) {
        tar.file("p/" + std::to_string(i), std::string(1000, 'x'));
    }
    const std::string bytes = gzip(tar.finished());
    EXPECT_EQ(refusal(bytes, {.unpacked_bytes = 19'999}).id(), "archive-limit");
    EXPECT_EQ(refusal(bytes, {.files = 20}).id(), "archive-limit");  // the root folder counts
    support::save(archive(), bytes);
    EXPECT_EQ(unpack_archive(archive(), out(), {.unpacked_bytes = 20'000, .files = 21}).files, 20U);
}

TEST_F(HostileArchive, FoldersNamedInPassingCountAsFiles) {
    std::string deep = "p";
    for (int i = 0; i < 90; ++i) {
        deep += "/d";
    }
    TarBuilder tar;
    tar.pax({{"path", deep}}).file("p/x", "");
    EXPECT_EQ(refusal(gzip(tar.finished()), {.files = 50}).id(), "archive-limit");
}

TEST_F(HostileArchive, BombsAreRefusedByTheirRatio) {
    const std::string tar = TarBuilder().file("p/zeros", std::string(66U << 20U, '\0')).finished();
    const std::string bomb = gzip(tar);
    ASSERT_LT(bomb.size() * 900, tar.size());
    EXPECT_EQ(refusal(bomb, {.ratio = 900}).id(), "archive-limit");
    // Hidden behind the end instead of in a member.
    const std::string hidden =
        gzip(TarBuilder().file("p/a", "").finished() + std::string(66U << 20U, '\0'));
    EXPECT_EQ(refusal(hidden, {.ratio = 900}).id(), "archive-limit");
    support::ZipBuilder zip;
    zip.add({.name = "p/zeros", .content = std::string(66U << 20U, '\0'), .deflate = true});
    EXPECT_EQ(refusal(zip.bytes(), {.ratio = 900}).id(), "archive-limit");
}

TEST_F(HostileArchive, ZipFilesAreJudgedByTheSameRules) {
    support::ZipBuilder two_roots;
    two_roots.add("p/a", "1").add("q/b", "2");
    EXPECT_EQ(refusal(two_roots.bytes()).id(), "archive-roots");
    support::ZipBuilder slip;
    slip.add("p/a", "1").add("p/../../evil", "2");
    EXPECT_EQ(refusal(slip.bytes()).id(), "zip-name");
}

TEST_F(HostileArchive, ADestinationThatWasThereStays) {
    make_directories(out());
    support::save(archive(), gzip(TarBuilder().file("p/a", "1").file("q/b", "2").finished()));
    const Error error = thrown_error([&] { (void)unpack_archive(archive(), out()); });
    EXPECT_EQ(error.id(), "archive-roots");
    EXPECT_NE(error.message().find("q/b"), std::string::npos);
    EXPECT_TRUE(fs::exists(out()));
    EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(HostileArchive, PeekingJudgesAsUnpackingDoes) {
    EXPECT_EQ(
        peek_refusal(gzip(TarBuilder().file("p/PKG-INFO", "a").file("p/PKG-INFO", "b").finished()))
            .id(),
        "archive-duplicate"
    );
    EXPECT_EQ(peek_refusal(gzip(TarBuilder().file("p/../x", "").finished())).id(), "archive-name");
    EXPECT_EQ(
        peek_refusal(gzip(TarBuilder().symlink("p/l", "/etc").finished())).id(), "archive-link"
    );
    const std::string large(17U << 20U, 'x');
    EXPECT_EQ(
        peek_refusal(gzip(TarBuilder().file("p/PKG-INFO", large).finished())).id(), "archive-limit"
    );
    EXPECT_EQ(peek_refusal("<html>").id(), "archive-unknown");
}

}  // namespace
}  // namespace wheelforge
