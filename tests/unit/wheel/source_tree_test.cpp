// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/working_directory.hpp"
#include "wheel/source_tree/tree_facts.hpp"

namespace wheelforge::wheel {

using Strings = std::vector<std::string>;

namespace {

Strings reads(const std::string& file, const std::string& text) {
    Strings found;
    for (const VariableRead& read : variables_in_script(file, text)) {
        found.push_back(read.name + ":" + std::to_string(read.line));
    }
    return found;
}

Strings texts(const std::vector<Mention>& mentions) {
    Strings found;
    for (const Mention& mention : mentions) {
        found.push_back(mention.text);
    }
    return found;
}

}  // namespace

TEST(VariableReads, PythonAsksInManyWays) {
    EXPECT_EQ(
        reads(
            "setup.py",
            "a = os.environ.get(\n    'SPLIT')\n"
            "b = check_env_flag(\"USE_X\", default=1)\n"
            "if 'IN' in os.environ and 'NOT_IN' not in os.environ: pass\n"
            "c = environ['BARE'] == '1'\n"
            "d = f\"{os.environ['IN_TEXT']}\"\n"
        ),
        (Strings{"SPLIT:1", "USE_X:3", "IN:4", "NOT_IN:4", "BARE:5", "IN_TEXT:6"})
    );
}

TEST(VariableReads, WhatIsOnlyWrittenIsNotRead) {
    EXPECT_EQ(
        reads(
            "setup.py",
            "os.environ['SET'] = '1'\nmonkeypatch.setenv('SET', '1')\nos.putenv('SET', '1')\n"
            "# os.getenv('COMMENT')\nenvironment('lower')\nos.environ[name]\nos.getenv('no name')\n"
        ),
        Strings{}
    );
}

TEST(VariableReads, CMakeAndRust) {
    EXPECT_EQ(
        reads(
            "cmake/a.cmake",
            "if(DEFINED ENV{ONE})\n  set(X $ENV{TWO})\n  set(ENV{SET} 1)\n# $ENV{THREE}\n"
        ),
        (Strings{"ONE:1", "TWO:2"})
    );
    EXPECT_EQ(
        reads(
            "build.rs", "// env::var(\"NO\")\nlet a = std::env::var(\"A\"); option_env!(\"B\");\n"
        ),
        (Strings{"A:2", "B:2"})
    );
    EXPECT_EQ(reads("notes.txt", "os.getenv('A')"), Strings{});
}

TEST(VariableReads, ScriptsThatAreCutOffEndQuietly) {
    const std::string text = "x = os.environ.get('ABC') or 'D' in os.environ[\"E\"] ENV{F}";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        for (const char* file : {"setup.py", "CMakeLists.txt", "build.rs"}) {
            static_cast<void>(variables_in_script(file, text.substr(0, size)));
        }
    }
}

TEST(TreeFacts, DownloadsAreUrlsThatAreFetched) {
    EXPECT_EQ(
        texts(downloads_in_script(
            "CMakeLists.txt",
            "# https://example.org/a.tar.gz\n"
            "  URL https://example.org/b\n"
            "  GIT_REPOSITORY https://example.org/c.git\n"
            "message(\"see https://example.org/docs\")\n"
            "x = 'https://example.org/d.zip'\n"
        )),
        (Strings{"https://example.org/b", "https://example.org/c.git", "https://example.org/d.zip"})
    );
}

TEST(TreeFacts, ArchsAreNamesAndLists) {
    EXPECT_EQ(
        texts(archs_in_script(
            "setup.py",
            "a = ['gfx942', \"gfx90a:xnack+\", 'gfx9x']\n"
            "b = os.getenv('ARCHS', '80;90a')\n"
            "c = '1;2'; d = '32,64,128'; e = '7.5;8.0+PTX'\n"
        )),
        (Strings{"gfx942", "gfx90a", "sm_80", "sm_90a", "sm_75", "compute_80"})
    );
}

TEST(TreeFacts, TestsAndVendoredCodeDoNotSteerABuild) {
    EXPECT_TRUE(steers_build("setup.py"));
    EXPECT_TRUE(steers_build("csrc/CMakeLists.txt"));
    EXPECT_TRUE(steers_build("tools/archs.py"));
    EXPECT_FALSE(steers_build("pkg/runtime.py"));
    EXPECT_FALSE(steers_build("tests/CMakeLists.txt"));
    EXPECT_FALSE(steers_build("3rdparty/lib/CMakeLists.txt"));
    EXPECT_FALSE(steers_build("README.md"));
}

TEST(TreeFacts, ATreeIsReadAsAWhole) {
    support::WorkingDirectory folder;
    folder.write(
        "pyproject.toml", "[build-system]\nrequires = [\n  \"setuptools>=64\",\n  \"torch\",\n]\n"
    );
    folder.write(".gitmodules", "[submodule \"x\"]\n  path = ext/x\n  url = https://e.org/x.git\n");
    folder.write("setup.py", "from pkg import chips\n");
    folder.write("pkg/chips.py", "A = os.getenv('GPU_ARCHS')\n");
    folder.write("pkg/other.py", "A = os.getenv('LATER')\n");
    folder.write("tests/test_a.py", "A = os.getenv('IN_TEST')\n");
    const TreeFacts facts = read_tree(files_of_folder(folder.path()));
    EXPECT_EQ(texts(facts.build_requires), (Strings{"setuptools>=64", "torch"}));
    EXPECT_EQ(facts.build_requires.at(0).line, 3);
    EXPECT_EQ(texts(facts.submodules), Strings{"ext/x = https://e.org/x.git"});
    ASSERT_EQ(facts.reads.size(), 2U);
    EXPECT_EQ(facts.reads[0].file, "pkg/chips.py");
    EXPECT_TRUE(facts.build_scripts.contains("pkg/chips.py")) << "setup.py imports it";
    EXPECT_FALSE(facts.build_scripts.contains("pkg/other.py"));
}

TEST(TreeFacts, NamesAreLookedForAsWords) {
    support::WorkingDirectory folder;
    folder.write("a.sh", "echo ${MY_SWITCH} NOT_MY_OTHER\n");
    EXPECT_EQ(
        mentioned_names(files_of_folder(folder.path()), {"MY_SWITCH", "MY_OTHER", "NOWHERE"}),
        std::set<std::string>{"MY_SWITCH"}
    );
}

}  // namespace wheelforge::wheel
