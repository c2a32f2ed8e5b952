// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/zip.hpp"
#include "build/wheel_tree.hpp"

namespace wheelforge::build {
namespace {

const TreeLayout layout{"lib/python3.12/site-packages", "include/site/python3.12/x", "/build/env"};

TEST(Destination, FollowsTheSchemes) {
    const auto path = [](const char* member) { return destination_of(member, layout).path; };
    EXPECT_EQ(path("x/__init__.py"), "lib/python3.12/site-packages/x/__init__.py");
    EXPECT_EQ(
        path("x-1.dist-info/METADATA"), "lib/python3.12/site-packages/x-1.dist-info/METADATA"
    );
    EXPECT_EQ(path("x-1.data/purelib/a.py"), "lib/python3.12/site-packages/a.py");
    EXPECT_EQ(path("x-1.data/platlib/a.so"), "lib/python3.12/site-packages/a.so");
    EXPECT_EQ(path("x-1.data/scripts/run"), "bin/run");
    EXPECT_EQ(path("x-1.data/headers/a/b.h"), "include/site/python3.12/x/a/b.h");
    EXPECT_EQ(path("x-1.data/data/share/doc"), "share/doc");
    EXPECT_EQ(path("x-1.data/data/lib64/a"), "lib/a");
    EXPECT_EQ(path("setup.data"), "lib/python3.12/site-packages/setup.data");
    EXPECT_TRUE(destination_of("x-1.data/scripts/run", layout).is_script);
    EXPECT_FALSE(destination_of("x-1.data/data/bin/run", layout).is_script);
}

TEST(Destination, RefusesUnknownSchemes) {
    for (const char* member : {"x-1.data/lib/a", "x-1.data/a", "x-1.data/scripts/"}) {
        EXPECT_THROW(static_cast<void>(destination_of(member, layout)), Error) << member;
    }
}

class UnpackWheel : public ::testing::Test {
protected:
    using Members = std::vector<std::pair<std::string, std::string>>;

    std::vector<std::string> unpack(const Members& members) {
        const fs::path path = folder_.path() / "x-1-py3-none-any.whl";
        ZipWriter zip(path);
        for (const auto& [name, content] : members) {
            zip.add(name, content, name.ends_with(".sh") ? 0755 : 0644);
        }
        zip.add("x-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: x\nVersion: 1\n");
        zip.add(
            "x-1.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        );
        zip.add("x-1.dist-info/RECORD", "");
        zip.commit();
        make_directories(root());
        return unpack_wheel(wheel::WheelFile(path), layout, root());
    }
    [[nodiscard]] fs::path root() const { return folder_.path() / "tree"; }
    [[nodiscard]] fs::path site() const { return root() / layout.site_packages; }
    static bool executable(const fs::path& path) {
        return (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    }

private:
    TempDir folder_{fs::temp_directory_path(), "wheelforge-unit-"};
};

TEST_F(UnpackWheel, WritesFilesWithTheirModes) {
    const auto files = unpack({{"x/tool.sh", "#!/bin/sh\n"}, {"x/a, b.txt", "t"}});
    EXPECT_TRUE(executable(site() / "x/tool.sh"));
    EXPECT_FALSE(executable(site() / "x/a, b.txt"));
    EXPECT_EQ(files.size(), 6U);
    EXPECT_TRUE(std::is_sorted(files.begin(), files.end()));
    EXPECT_EQ(read_file(site() / "x-1.dist-info/INSTALLER"), "wheelforge\n");
}

TEST_F(UnpackWheel, RecordsWhatIsThere) {
    static_cast<void>(unpack({{"x/a, b.txt", "t"}, {"x-1.data/scripts/run", "#!python\n"}}));
    EXPECT_EQ(
        read_file(site() / "x-1.dist-info/RECORD"),
        "../../../bin/run,,\nx-1.dist-info/INSTALLER,,\nx-1.dist-info/METADATA,,\n"
        "x-1.dist-info/RECORD,,\nx-1.dist-info/WHEEL,,\n\"x/a, b.txt\",,\n"
    );
    EXPECT_TRUE(executable(root() / "bin/run"));
    EXPECT_EQ(read_file(root() / "bin/run"), "#!/build/env/bin/python\n");
}

TEST_F(UnpackWheel, MakesLaunchers) {
    static_cast<void>(unpack(
        {{"x-1.dist-info/entry_points.txt", "[console_scripts]\nrun = x:main\nown = x:main\n"},
         {"x-1.data/scripts/own", "#!/bin/sh\n"}}
    ));
    EXPECT_TRUE(read_file(root() / "bin/run").starts_with("#!/build/env/bin/python\n"));
    EXPECT_TRUE(executable(root() / "bin/run"));
    EXPECT_EQ(read_file(root() / "bin/own"), "#!/bin/sh\n");  // the wheel's own script stays
}

TEST_F(UnpackWheel, StreamsLargeMembers) {
    const std::string large(20U << 20U, 'x');
    static_cast<void>(unpack({{"x/large.bin", large}}));
    EXPECT_EQ(fs::file_size(site() / "x/large.bin"), large.size());
}

TEST_F(UnpackWheel, RefusesMembersThatBecomeOneFile) {
    EXPECT_THROW(static_cast<void>(unpack({{"a.py", "1"}, {"x-1.data/purelib/a.py", "2"}})), Error);
}

TEST_F(UnpackWheel, RefusesAMemberThatIsFileAndFolder) {
    EXPECT_THROW(static_cast<void>(unpack({{"a", "1"}, {"x-1.data/purelib/a/b", "2"}})), Error);
}

}  // namespace
}  // namespace wheelforge::build
