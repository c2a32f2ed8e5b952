// SPDX-License-Identifier: Apache-2.0
// A scratch folder, an interpreter and a copy of tests/fixtures/build/project, to build in.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "build/environment.hpp"
#include "build/hooks.hpp"
#include "build/interpreter.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {

using Files = std::map<std::string, std::string>;

/// The interpreter of these tests, probed once.
const Interpreter& test_interpreter();
/// What the kernel allows, probed once.
const SandboxProbe& best_sandbox();

/// Writes a wheel with these members (and METADATA, WHEEL, RECORD) into `folder`.
InstalledWheel make_wheel(
    const fs::path& folder, const std::string& name, const Files& members, bool executable = false
);

/// How a test's builds are enclosed.
enum class Way { overlay, copies, none };
std::string way_name(const ::testing::TestParamInfo<Way>& info);
/// nullopt where this machine cannot; the reason is best_sandbox().reason.
std::optional<SandboxProbe> sandbox_for(Way way);

class BuildWorld {
public:
    explicit BuildWorld(SandboxProbe sandbox);

    [[nodiscard]] const fs::path& root() const { return root_.path(); }
    [[nodiscard]] fs::path scratch() const { return root() / "scratch"; }
    [[nodiscard]] fs::path source() const { return scratch() / "src"; }
    [[nodiscard]] fs::path output() const { return scratch() / "out"; }
    [[nodiscard]] fs::path log() const { return root() / "build.log"; }
    [[nodiscard]] const BuildPaths& paths() const { return paths_; }
    [[nodiscard]] const TreeCache& cache() const { return cache_; }
    [[nodiscard]] const SandboxProbe& sandbox() const { return sandbox_; }

    void install(const std::vector<InstalledWheel>& wheels) { wheels_ = wheels; }
    [[nodiscard]] Launch launch();
    [[nodiscard]] HookSession session(
        std::map<std::string, std::vector<std::string>> settings = {}, std::stop_token stop = {}
    );
    /// Runs build_wheel with the config setting do=`deed`.
    [[nodiscard]] HookResult<std::string>
    build(const std::string& deed, std::map<std::string, std::vector<std::string>> settings = {});
    /// report.txt of the misdeeds as name -> text.
    [[nodiscard]] std::map<std::string, std::string> report() const;

private:
    TempDir root_;
    SandboxProbe sandbox_;
    BuildPaths paths_;
    TreeCache cache_;
    std::vector<InstalledWheel> wheels_;
};

/// Tests that hold for every way; skips where this machine cannot.
class EveryWay : public ::testing::TestWithParam<Way> {
protected:
    void SetUp() override;
    [[nodiscard]] BuildWorld& world() { return *world_; }

private:
    std::unique_ptr<BuildWorld> world_;
};

}  // namespace wheelforge::build
