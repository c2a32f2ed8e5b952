// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "source/languages.hpp"
#include "source/sdist.hpp"
#include "source/sdist_memo.hpp"
#include "support/plain_file.hpp"
#include "support/tar_builder.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::source {
namespace {

using support::TarBuilder;
using support::thrown_error;
using Texts = std::vector<std::string>;

const std::string static_info =
    "Metadata-Version: 2.2\nName: Some.Pkg\nVersion: 1.0\nRequires-Python: >=3.9\n"
    "Requires-Dist: attrs>=20\nRequires-Dist: rich; extra == 'cli'\nProvides-Extra: cli\n";

class Sdist : public testing::Test {
protected:
    SdistFacts inspect(
        const TarBuilder& tar, const std::string& build_dir = "", const std::string& version = "1.0"
    ) {
        const auto path =
            support::save(folder_.path() / "some_pkg-1.0.tar.gz", support::gzip(tar.finished()));
        return inspect_sdist(path, "some-pkg", pep::Version::parse(version).value(), build_dir);
    }
    /// An sdist of these two files; "" leaves one out.
    SdistFacts with(const std::string& pkg_info, const std::string& pyproject) {
        TarBuilder tar;
        tar.file("some_pkg-1.0/README", "");
        if (!pkg_info.empty()) {
            tar.file("some_pkg-1.0/PKG-INFO", pkg_info);
        }
        if (!pyproject.empty()) {
            tar.file("some_pkg-1.0/pyproject.toml", pyproject);
        }
        return inspect(tar);
    }
    std::string refused_as(const std::string& pkg_info) {
        const Error error = thrown_error([&] { (void)with(pkg_info, ""); });
        EXPECT_EQ(error.code(), ExitCode::refused);
        return error.id();
    }
    static std::optional<Texts> requirements(const SdistFacts& facts) {
        const auto found = facts.static_requirements();
        if (!found) {
            return std::nullopt;
        }
        Texts texts;
        for (const pep::Requirement& requirement : *found) {
            texts.push_back(requirement.text());
        }
        return texts;
    }
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

private:
    TempDir folder_{fs::temp_directory_path(), "sdist-test-"};
};

TEST_F(Sdist, TellsWhatItIs) {
    TarBuilder tar;
    tar.file("some_pkg-1.0/PKG-INFO", static_info).file("some_pkg-1.0/setup.py", "");
    tar.file("some_pkg-1.0/some_pkg.egg-info/PKG-INFO", "Name: nonsense\n");
    tar.file("some_pkg-1.0/src/a.c", "").file("some_pkg-1.0/src/b.pyx", "");
    tar.file(
        "some_pkg-1.0/pyproject.toml",
        "[build-system]\nrequires = [\"x\"]\nbuild-backend = \"x.y\"\n"
    );
    tar.file_at("some_pkg-1.0/late", 1'700'000'000);
    const SdistFacts facts = inspect(tar);
    EXPECT_EQ(facts.root, "some_pkg-1.0");
    ASSERT_TRUE(facts.pkg_info);
    EXPECT_EQ(facts.pkg_info->name, "Some.Pkg");
    EXPECT_EQ(facts.pkg_info_text, static_info);
    EXPECT_TRUE(facts.has_setup_py);
    EXPECT_EQ(facts.pyproject.build_system.backend, "x.y");
    EXPECT_EQ(facts.newest_mtime, 1'700'000'000);
    EXPECT_EQ(facts.languages, (std::set<std::string>{"c", "cython"}));
}

TEST_F(Sdist, WithoutMetadataAndPyprojectItIsLegacy) {
    const SdistFacts facts = with("", "");
    EXPECT_FALSE(facts.pkg_info);
    EXPECT_FALSE(facts.pkg_info_text);
    EXPECT_FALSE(facts.pyproject_text);
    EXPECT_TRUE(facts.pyproject.build_system.legacy);
    EXPECT_EQ(facts.pyproject.build_system.backend, "setuptools.build_meta:__legacy__");
    EXPECT_FALSE(facts.has_setup_py);
    EXPECT_FALSE(facts.static_requirements());
    EXPECT_FALSE(facts.static_requires_python());
}

TEST_F(Sdist, TheRootIsCalledAsTheProjectHoweverItIsSpelled) {
    for (const auto* root : {"some_pkg-1.0", "./Some.Pkg-1.0", "some-pkg-1.0.0"}) {
        const SdistFacts facts =
            inspect(TarBuilder().file(std::string(root) + "/PKG-INFO", static_info));
        EXPECT_TRUE(facts.pkg_info) << root;
    }
}

/// hostile-inputs, tar: root != name-version
TEST_F(Sdist, AnotherRootIsRefused) {
    for (const auto* root :
         {"trunk", "some_pkg", "some_pkg-1.1", "other-1.0", "some-pkg-1.0-evil"}) {
        const Error error = thrown_error([&] {
            (void)inspect(TarBuilder().file(std::string(root) + "/PKG-INFO", static_info));
        });
        EXPECT_EQ(error.id(), "sdist-root") << root;
        EXPECT_EQ(error.code(), ExitCode::refused) << root;
    }
}

TEST(SdistNames, MayStandForSeveralProjects) {
    const auto found = identities_of("a-1-2");  // 1-2 is 1.post2
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].name, "a");
    EXPECT_EQ(found[0].version.text(), "1.post2");
    EXPECT_EQ(found[1].name, "a-1");
    EXPECT_EQ(found[1].version.text(), "2");
    EXPECT_TRUE(identities_of("noversion").empty());
}

TEST_F(Sdist, ReadsTheBuildFolder) {
    TarBuilder tar;
    tar.file("some_pkg-1.0/PKG-INFO", static_info)
        .file("some_pkg-1.0/pyproject.toml", "this is not read = [");
    tar.file("some_pkg-1.0/python/core/pyproject.toml", "[build-system]\nrequires = [\"y\"]\n");
    tar.file("some_pkg-1.0/python/core/setup.py", "");
    const SdistFacts facts = inspect(tar, "./python/core/");
    EXPECT_EQ(facts.pyproject.build_system.requires_text, Texts{"y"});
    EXPECT_TRUE(facts.has_setup_py);
    EXPECT_TRUE(facts.pkg_info);
    TarBuilder other;
    other.file("some_pkg-1.0/setup.py", "").file("some_pkg-1.0/python/x", "");
    EXPECT_FALSE(inspect(other, "python").has_setup_py);
    EXPECT_EQ(thrown_error([&] { (void)inspect(tar, "../x"); }).id(), "bad-build-dir");
    EXPECT_EQ(thrown_error([&] { (void)inspect(tar, "/etc"); }).id(), "bad-build-dir");
}

TEST_F(Sdist, AnotherProjectOrVersionIsRefused) {
    EXPECT_EQ(refused_as("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n"), "sdist-identity");
    EXPECT_EQ(
        refused_as("Metadata-Version: 2.1\nName: some-pkg\nVersion: 1.1\n"), "sdist-identity"
    );
    // Not even when the rest cannot be read.
    EXPECT_EQ(refused_as("Metadata-Version: 9.0\nName: other\nVersion: 1.0\n"), "sdist-identity");
    EXPECT_EQ(
        refused_as("name : x\nName: some-pkg\nVersion: 2\nRequires-Dist: ???\n"), "sdist-identity"
    );
}

TEST_F(Sdist, WhatOnlyLooksDifferentIsAccepted) {
    const auto named = [&](const std::string& name, const std::string& version) {
        return with("Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n", "")
            .pkg_info.has_value();
    };
    EXPECT_TRUE(named("SOME_PKG", "1"));
    EXPECT_TRUE(named("some.pkg", "v1.0.0"));
    EXPECT_TRUE(named("some-pkg", "1.0+local"));
    TarBuilder tar;
    tar.file("some_pkg-1.0/PKG-INFO", "Metadata-Version: 2.1\nName: some-pkg\nVersion: 1.0\n");
    EXPECT_TRUE(inspect(tar, "", "1.0+cpu").pkg_info);
}

TEST_F(Sdist, UnreadableMetadataCountsAsAbsent) {
    const std::string text =
        "Metadata-Version: 1.0\nName: some-pkg\nVersion: 1.0\nRequires-Dist: a b c ???\n";
    const SdistFacts facts = with(text, "");
    EXPECT_FALSE(facts.pkg_info);
    EXPECT_EQ(facts.pkg_info_text, text);
    EXPECT_FALSE(with("complete nonsense", "").pkg_info);
    EXPECT_FALSE(with("Name: some-pkg\nVersion: not a version\n", "").pkg_info);
    EXPECT_FALSE(with("\nName: other\n", "").pkg_info);  // a body, not a header
}

TEST_F(Sdist, ABrokenPyprojectIsThePackagesFault) {
    const Error error = thrown_error([&] { (void)with("", "[build-system\n"); });
    EXPECT_EQ(error.id(), "bad-pyproject");
    EXPECT_EQ(error.code(), ExitCode::build_failed);
    EXPECT_NE(error.message().find("pyproject.toml"), std::string::npos);
    EXPECT_NE(error.context().back().find("some_pkg-1.0.tar.gz"), std::string::npos);
}

TEST_F(Sdist, StaticRequirementsComeFromPkgInfo) {
    EXPECT_EQ(requirements(with(static_info, "")), (Texts{"attrs>=20", "rich; extra == \"cli\""}));
    EXPECT_EQ(with(static_info, "").static_requires_python()->text(), ">=3.9");
    // Before 2.2 the build decides; from 2.2 on it does so for what is dynamic.
    EXPECT_EQ(
        requirements(
            with("Metadata-Version: 2.1\nName: some-pkg\nVersion: 1.0\nRequires-Dist: a\n", "")
        ),
        std::nullopt
    );
    const SdistFacts dynamic =
        with(static_info + "Dynamic: Requires-Dist\nDynamic: Requires-Python\n", "");
    EXPECT_EQ(requirements(dynamic), std::nullopt);
    EXPECT_FALSE(dynamic.static_requires_python());
    EXPECT_EQ(
        requirements(with("Metadata-Version: 2.4\nName: some-pkg\nVersion: 1.0\n", "")), Texts{}
    );
}

TEST_F(Sdist, OrFromTheProjectTable) {
    const std::string project =
        "[project]\nname = \"some-pkg\"\nversion = \"1.0\"\nrequires-python = \">=3.10\"\n"
        "dependencies = [\"attrs\", \"tomli; python_version < '3.11'\"]\n"
        "[project.optional-dependencies]\nCli_Tools = [\"rich\", \"colorama; os_name == 'nt' or "
        "os_name == 'x'\"]\n";
    const SdistFacts facts = with("", project);
    EXPECT_EQ(
        requirements(facts),
        (Texts{
            "attrs",
            "tomli; python_version < \"3.11\"",
            "rich; extra == \"cli-tools\"",
            "colorama; (os_name == \"nt\" or os_name == \"x\") and extra == \"cli-tools\""
        })
    );
    EXPECT_EQ(facts.static_requires_python()->text(), ">=3.10");
    // PKG-INFO that promises nothing leaves the word to pyproject.toml.
    EXPECT_EQ(
        requirements(with("Metadata-Version: 2.1\nName: some-pkg\nVersion: 1.0\n", project))
            ->size(),
        4U
    );
}

TEST_F(Sdist, DynamicDependenciesAreAskedOfTheBackend) {
    const auto dynamic = [&](const std::string& fields) {
        return with(
            "", "[project]\nname = \"some-pkg\"\ndynamic = [\"version\", " + fields + "]\n"
        );
    };
    EXPECT_EQ(requirements(dynamic("\"readme\"")), Texts{});
    EXPECT_EQ(requirements(dynamic("\"dependencies\"")), std::nullopt);
    EXPECT_EQ(requirements(dynamic("\"optional-dependencies\"")), std::nullopt);
    EXPECT_FALSE(dynamic("\"requires-python\"").static_requires_python());
    EXPECT_TRUE(dynamic("\"readme\"").static_requires_python()->empty());
    EXPECT_EQ(requirements(with("", "[build-system]\nrequires = []\n")), std::nullopt);
}

TEST_F(Sdist, TreeRootStaysInsideTheSource) {
    make_directories(folder() / "tree/python/core");
    make_directories(folder() / "outside");
    fs::create_directory_symlink("../outside", folder() / "tree/out");
    fs::create_directory_symlink("python", folder() / "tree/in");
    support::save(folder() / "tree/file", "");
    const fs::path tree = folder() / "tree";
    EXPECT_EQ(tree_root(tree, ""), tree);
    EXPECT_EQ(tree_root(tree, "."), tree);
    EXPECT_EQ(tree_root(tree, "python/core/"), tree / "python/core");
    EXPECT_EQ(tree_root(tree, "in/core"), tree / "in/core");
    for (const char* bad : {"none", "file", "out", "../outside", "/etc", "python/../../outside"}) {
        EXPECT_EQ(thrown_error([&] { (void)tree_root(tree, bad); }).id(), "bad-build-dir") << bad;
    }
}

TEST_F(Sdist, FactsSurviveBeingStored) {
    const SdistFacts facts =
        with(static_info, "[project]\nname = \"some-pkg\"\nversion = \"1.0\"\n");
    const auto stored = facts_from_json(facts_to_json(facts));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->root, facts.root);
    EXPECT_EQ(stored->newest_mtime, facts.newest_mtime);
    EXPECT_EQ(requirements(*stored), requirements(facts));
    EXPECT_EQ(stored->static_requires_python()->text(), ">=3.9");
}

TEST(Languages, AreToldByNames) {
    EXPECT_EQ(language_of("src/a.c"), "c");
    EXPECT_EQ(language_of("src/a.cpp"), "c++");
    EXPECT_EQ(language_of("a.pyx"), "cython");
    EXPECT_EQ(language_of("rust/Cargo.toml"), "rust");
    EXPECT_EQ(language_of("CMakeLists.txt"), "cmake");
    EXPECT_EQ(language_of("x/meson.build"), "meson");
    EXPECT_EQ(language_of("k.cu"), "cuda");
    EXPECT_EQ(language_of("k.hip"), "hip");
    EXPECT_EQ(language_of("l.f90"), "fortran");
    for (const char* other : {"a.py", "c", "a.c.txt", "dir.c/readme", "NotCMakeLists.txt", ""}) {
        EXPECT_EQ(language_of(other), "") << other;
    }
}

}  // namespace
}  // namespace wheelforge::source
