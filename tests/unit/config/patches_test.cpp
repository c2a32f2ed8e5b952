// SPDX-License-Identifier: Apache-2.0
#include "settings_fixture.hpp"

#include "config/patches.hpp"

namespace wheelforge::config {
namespace {

class Patches : public SettingsFolder {
protected:
    /// The tree of Fromager's own documentation.
    void write_tree() {
        for (const auto* file :
             {"test_pkg/010.patch",
              "test_pkg/cpu/004.patch",
              "test_pkg-1.0.2/001.patch",
              "test_pkg-1.0.2/002.patch",
              "test_pkg-1.0.2/cpu/005.patch",
              "test_pkg-1.0.2/rocm/006.patch",
              "test_pkg-1.0.2/README"}) {
            here.write(std::string("patches/") + file, file);
        }
    }
    static Texts names(const Texts& variants, const char* version) {
        Texts names;
        const auto settings = load(variants).package("test-pkg");
        for (const auto& patch : patches_for(settings.patches, *pep::Version::parse(version))) {
            names.push_back(patch.filename.substr(0, 3));
        }
        return names;
    }
};

TEST_F(Patches, OfVersionAndVariantAreAppliedInTheOrderOfTheirNames) {
    write_tree();
    EXPECT_EQ(names({"cpu"}, "1.0.2"), (Texts{"001", "002", "004", "005", "010"}));
    EXPECT_EQ(names({"rocm"}, "1.0.2"), (Texts{"001", "002", "006", "010"}));
    EXPECT_EQ(names({"rocm"}, "1.0.3"), Texts{"010"});
    EXPECT_EQ(names({}, "1.0.2+cu128"), (Texts{"001", "002", "010"}));
}

TEST_F(Patches, FoldersAreReadByTheirNames) {
    for (const auto* name : {"flash_attn-2.8.3", "flash-attn", "b-1.0rc1", ".git"}) {
        here.write(std::string("patches/") + name + "/x.patch", "");
    }
    const auto folders = patch_folders("patches");
    ASSERT_EQ(folders.size(), 3U);
    EXPECT_EQ(folders[0].name, "b");
    EXPECT_EQ(folders[0].version->text(), "1.0rc1");
    EXPECT_EQ(folders[1].name, "flash-attn");
    EXPECT_FALSE(folders[1].version);
    EXPECT_FALSE(folders[1].is_canonical);
    EXPECT_EQ(folders[2].name, "flash-attn");
    EXPECT_EQ(folders[2].version->text(), "2.8.3");
    EXPECT_TRUE(folders[2].is_canonical);
}

TEST_F(Patches, OfNoPackageAreRefused) {
    here.write("patches/-1.0/x.patch", "");
    EXPECT_EQ(
        support::thrown_error([] { (void)patch_folders("patches"); }).id(), "bad-patch-folder"
    );
    EXPECT_TRUE(patch_folders("no-such-folder").empty());
}

TEST_F(Patches, KnowTheirContent) {
    here.write("patches/a/x.patch", "one");
    const auto before = load().package("a").patches.at(0).sha256;
    here.write("patches/a/x.patch", "two");
    EXPECT_NE(load().package("a").patches.at(0).sha256, before);
}

}  // namespace
}  // namespace wheelforge::config
