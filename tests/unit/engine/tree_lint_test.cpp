// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/tree_drift.hpp"
#include "engine/tree_lint.hpp"
#include "engine/variable_readers.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::engine {

using Strings = std::vector<std::string>;

class TreeLint : public testing::Test {
protected:
    void SetUp() override {
        subject.tree = wheel::files_of_folder(folder.path());
        subject.family = "rocm";
    }
    Strings lint() {
        Strings found;
        for (const wheel::Finding& one : lint_tree(subject)) {
            found.push_back(
                std::string(wheel::level_name(one.level)) + " " + one.id + " " + one.file
            );
        }
        return found;
    }

    support::WorkingDirectory folder;
    TreeToLint subject;
};

TEST_F(TreeLint, AnArchVariableThatNobodySetsIsNamedWithItsPlace) {
    folder.write("setup.py", "\na = os.getenv('HIP_ARCHITECTURES')\nb = os.getenv('ARCHIVE_X')\n");
    EXPECT_EQ(lint(), Strings{"warn unset-arch-variable setup.py:2"});
    subject.own = {{"HIP_ARCHITECTURES", "gfx942", "settings"}};
    EXPECT_EQ(lint(), Strings{});
    subject.own.clear();
    subject.others = {"HIP_ARCHITECTURES"};
    EXPECT_EQ(lint(), Strings{});
}

TEST_F(TreeLint, AnArchVariableOfAnotherAcceleratorIsANote) {
    folder.write("setup.py", "a = os.getenv('TORCH_CUDA_ARCH_LIST')\n");
    EXPECT_EQ(lint(), Strings{"info unset-arch-variable setup.py:1"});
    subject.family = "cuda";
    EXPECT_EQ(lint(), Strings{"warn unset-arch-variable setup.py:1"});
    subject.family = "cpu";
    EXPECT_EQ(lint(), Strings{"info unset-arch-variable setup.py:1"});
}

TEST_F(TreeLint, ASettingThatNothingReadsIsDead) {
    folder.write("setup.py", "a = os.getenv('MY_USE_TRITON')\n");
    subject.own = {{"MY_USED_TRITON", "1", "settings/x.yaml:3"}};
    const auto findings = lint_tree(subject);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].id, "dead-variable");
    EXPECT_EQ(findings[0].file, "settings/x.yaml:3");
    EXPECT_NE(findings[0].evidence.find("MY_USE_TRITON"), std::string::npos) << "what is near";
}

TEST_F(TreeLint, WhatABuildToolReadsIsNotDead) {
    folder.write("setup.py", "import setuptools\n");
    subject.own = {{"CFLAGS", "-O2", "s"}, {"PYTORCH_ROCM_ARCH", "gfx942", "s"}};
    EXPECT_EQ(lint(), Strings{"warn dead-variable s"}) << "torch has no part in this build";
    subject.build_requires = {"torch"};
    EXPECT_EQ(lint(), Strings{});
    subject.build_requires.clear();
    folder.write("setup.py", "from torch.utils.cpp_extension import BuildExtension\n");
    EXPECT_EQ(lint(), Strings{});
}

TEST_F(TreeLint, NamesThatChooseArchitectures) {
    for (const char* name :
         {"GPU_ARCHS", "HIP_ARCHITECTURES", "NVCC_GENCODE", "VLLM_TARGET_DEVICE"}) {
        EXPECT_TRUE(chooses_archs(name)) << name;
    }
    EXPECT_TRUE(chooses_archs("PYTHON_ARCH")) << "nobody knows what it chooses";
    for (const char* name :
         {"ARCHFLAGS", "MACOSX_DEPLOYMENT_TARGET", "XROS_DEPLOYMENT_TARGET", "SEARCH_PATH", "TARGET"
         }) {
        EXPECT_FALSE(chooses_archs(name)) << name;
    }
}

TEST(VariableReaders, CMakeReadsWhatItsManualSays) {
    EXPECT_EQ(reader_of("CMAKE_PREFIX_PATH", {}), "CMake");
    EXPECT_EQ(reader_of("SKBUILD_STRICT", {}), "");
    EXPECT_EQ(reader_of("SKBUILD_STRICT", {"scikit-build-core"}), "scikit-build-core");
}

TEST(TreeDrift, WhatCameAndWhatWentAndWhatMayBeRenamed) {
    wheel::TreeFacts before;
    before.reads = {{"USE_OLD_TRITON", "setup.py", 4}, {"KEPT", "setup.py", 5}};
    before.archs = {{"gfx90a", "setup.py", 9}};
    wheel::TreeFacts after;
    after.reads = {{"USE_NEW_TRITON", "setup.py", 7}, {"KEPT", "setup.py", 1}};
    after.archs = {{"gfx90a", "setup.py", 9}, {"gfx950", "setup.py", 9}};
    const Drift result = drift(before, after);
    EXPECT_EQ(
        drift_text(result),
        "variables\n"
        "  - USE_OLD_TRITON  (setup.py:4)\n"
        "  + USE_NEW_TRITON  (setup.py:7)\n"
        "archs\n"
        "  + gfx950  (setup.py:9)\n"
        "perhaps renamed\n"
        "  USE_OLD_TRITON -> USE_NEW_TRITON\n"
    );
    EXPECT_TRUE(drift(before, before).empty());
    EXPECT_EQ(drift_text(drift(before, before)), "nothing that steers the build changed\n");
}

}  // namespace wheelforge::engine
