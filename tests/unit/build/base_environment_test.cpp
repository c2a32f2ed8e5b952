// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {
namespace {

const BuildPaths paths = build_paths(SandboxLevel::namespaces, "/scratch");

TEST(BaseEnvironment, TakesNothingFromTheCallerUnasked) {
    const Environment callers = {
        {"AWS_SECRET_ACCESS_KEY", "secret"}, {"HOME", "/home/me"}, {"CC", "clang"}, {"PATH", "/x"}
    };
    const auto environment = base_environment(callers, paths, {});
    EXPECT_FALSE(environment.contains("AWS_SECRET_ACCESS_KEY"));
    EXPECT_FALSE(environment.contains("CC"));
    EXPECT_EQ(environment.at("HOME"), "/build/home");
    EXPECT_EQ(environment.at("PATH").find("/x"), std::string::npos);
}

TEST(BaseEnvironment, IsTheSameForEveryCaller) {
    EXPECT_EQ(
        base_environment({{"LANG", "de_DE"}, {"TZ", "Asia/Tokyo"}}, paths, {}),
        base_environment({}, paths, {})
    );
    EXPECT_EQ(base_environment({}, paths, {}).at("PYTHONHASHSEED"), "0");
    EXPECT_FALSE(base_environment({}, paths, {}).contains("PYTHONDONTWRITEBYTECODE"));
}

TEST(BaseEnvironment, PassesWhatIsNamed) {
    const Environment callers = {{"CC", "clang"}, {"CXX", "clang++"}};
    const auto environment = base_environment(callers, paths, {"CC", "MAX_JOBS=4", "ABSENT", "E="});
    EXPECT_EQ(environment.at("CC"), "clang");
    EXPECT_EQ(environment.at("MAX_JOBS"), "4");
    EXPECT_EQ(environment.at("E"), "");
    EXPECT_FALSE(environment.contains("CXX"));
    EXPECT_FALSE(environment.contains("ABSENT"));
}

TEST(BaseEnvironment, TellsWhichToolchainVariablesAreDropped) {
    const Environment callers = {
        {"CC", "clang"},
        {"CFLAGS", "-O3"},
        {"CUDA_HOME", "/usr/local/cuda"},
        {"EDITOR", "vi"},
        {"HIP_PLATFORM", "amd"},
        {"TORCH_CUDA_ARCH_LIST", "9.0"},
        {"CMAKE_ARGS", "-D"},
        {"HOME", "/home/me"},
    };
    std::vector<std::string> dropped;
    static_cast<void>(base_environment(callers, paths, {"CC"}, &dropped));
    const std::vector<std::string> expected = {
        "CFLAGS", "CMAKE_ARGS", "CUDA_HOME", "HIP_PLATFORM", "TORCH_CUDA_ARCH_LIST"
    };
    EXPECT_EQ(dropped, expected);
}

TEST(BaseEnvironment, KnowsToolchainVariables) {
    for (const char* name :
         {"CC",
          "LDFLAGS",
          "NVCC_PREPEND_FLAGS",
          "ROCM_PATH",
          "PYTORCH_ROCM_ARCH",
          "PKG_CONFIG_PATH",
          "LD_LIBRARY_PATH",
          "CFLAGS_x86_64"}) {
        EXPECT_TRUE(is_toolchain_variable(name)) << name;
    }
    for (const char* name : {"CCX", "HOME", "PATH", "FLAGSHIP", "SSH_AUTH_SOCK"}) {
        EXPECT_FALSE(is_toolchain_variable(name)) << name;
    }
}

TEST(BaseEnvironment, RefusesWhatIsNoAssignment) {
    for (const std::string& bad : {std::string("=x"), std::string(), std::string("A=b\0c", 5)}) {
        EXPECT_THROW(static_cast<void>(base_environment({}, paths, {bad})), Error);
    }
}

TEST(BaseEnvironment, KeepsGitInsideTheTree) {
    const auto environment = base_environment({}, paths, {});
    EXPECT_EQ(environment.at("GIT_CEILING_DIRECTORIES"), "/build");
    EXPECT_EQ(environment.at("GIT_CONFIG_KEY_0"), "safe.bareRepository");
    EXPECT_EQ(environment.at("GIT_CONFIG_VALUE_0"), "explicit");
    EXPECT_EQ(environment.at("GIT_CONFIG_COUNT"), "4");
}

TEST(BaseEnvironment, PutsFoldersRightAfterTheEnvironmentsOwn) {
    auto environment = base_environment({}, paths, {});
    extend_path(environment, {"/opt/rust/bin", "/opt/llvm/bin"});
    EXPECT_TRUE(environment.at("PATH").starts_with(
        "/build/env/bin:/opt/rust/bin:/opt/llvm/bin:/usr/local/bin:"
    ));
}

}  // namespace
}  // namespace wheelforge::build
