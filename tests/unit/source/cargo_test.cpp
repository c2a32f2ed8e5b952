// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "source/cargo.hpp"

namespace wheelforge::source {
namespace {

using Texts = std::vector<std::string>;

SdistFacts maturin_with(const std::string& tool_table) {
    SdistFacts facts;
    facts.pyproject_text =
        "[build-system]\nrequires = ['maturin>=1']\nbuild-backend = 'maturin'\n" + tool_table;
    facts.pyproject = pep::Pyproject::parse(*facts.pyproject_text).value();
    return facts;
}

SdistFacts setuptools_rust() {
    SdistFacts facts;
    facts.pyproject_text = "[build-system]\nrequires = ['setuptools', 'Setuptools_Rust']\n"
                           "build-backend = 'setuptools.build_meta'\n";
    facts.pyproject = pep::Pyproject::parse(*facts.pyproject_text).value();
    return facts;
}

TEST(RustVersion, IsThatOfThePackageOrItsWorkspace) {
    EXPECT_EQ(rust_version_of("[package]\nname = 'a'\nrust-version = '1.74'\n"), "1.74");
    EXPECT_EQ(rust_version_of("[workspace.package]\nrust-version = '1.83.0'\n"), "1.83.0");
    EXPECT_EQ(rust_version_of("[package]\nrust-version.workspace = true\n"), "");
    EXPECT_EQ(rust_version_of("[package\n"), "");
}

TEST(CargoPlan, ManifestsAloneAreNoRustBuild) {
    SdistFacts facts;
    facts.cargo_manifests = {{"tests/template/Cargo.toml", ""}};
    EXPECT_FALSE(builds_rust(facts));
    EXPECT_TRUE(plan_crates(facts, "").manifests.empty());
}

TEST(CargoPlan, MaturinNamesItsManifest) {
    auto facts = maturin_with("[tool.maturin]\nmanifest-path = 'bindings/python/Cargo.toml'\n");
    facts.cargo_manifests = {{"bindings/python/Cargo.toml", ""}, {"core/Cargo.toml", "1.99"}};
    facts.cargo_locks = {"bindings/python/Cargo.lock", "core/Cargo.lock"};
    const auto plan = plan_crates(facts, "");
    EXPECT_EQ(plan.manifests, Texts{"bindings/python/Cargo.toml"});
    EXPECT_TRUE(plan.unlocked.empty());
    EXPECT_EQ(plan.rust_version, "");
}

TEST(CargoPlan, AWorkspaceHasItsLockAndVersionAbove) {
    auto facts = maturin_with("[tool.maturin]\nmanifest-path = 'src/rust/Cargo.toml'\n");
    facts.cargo_manifests = {{"Cargo.toml", "1.83"}, {"src/rust/Cargo.toml", "1.9"}};
    facts.cargo_locks = {"Cargo.lock"};
    const auto plan = plan_crates(facts, "");
    EXPECT_TRUE(plan.unlocked.empty());
    EXPECT_EQ(plan.rust_version, "1.83");
}

TEST(CargoPlan, OtherwiseLocksSayWhatIsBuilt) {
    auto facts = setuptools_rust();
    facts.cargo_manifests = {{"examples/x/Cargo.toml", ""}, {"rust/Cargo.toml", ""}};
    facts.cargo_locks = {"rust/Cargo.lock"};
    EXPECT_EQ(plan_crates(facts, "").manifests, Texts{"rust/Cargo.toml"});
}

TEST(CargoPlan, WithoutLocksTheOutermostManifestsAreLocked) {
    auto facts = setuptools_rust();
    facts.cargo_manifests = {{"Cargo.toml", ""}, {"crates/a/Cargo.toml", ""}};
    const auto plan = plan_crates(facts, "");
    EXPECT_EQ(plan.manifests, Texts{"Cargo.toml"});
    EXPECT_EQ(plan.unlocked, Texts{"Cargo.toml"});
}

TEST(CargoPlan, ASourceWithItsOwnCratesNeedsNone) {
    auto facts = maturin_with("");
    facts.cargo_manifests = {{"Cargo.toml", "1.70"}};
    facts.brings_crates = true;
    const auto plan = plan_crates(facts, "");
    EXPECT_TRUE(plan.manifests.empty());
    EXPECT_EQ(plan.rust_version, "1.70");
}

TEST(CargoPlan, AManifestOutsideTheSourceIsNotFollowed) {
    auto facts = maturin_with("[tool.maturin]\nmanifest-path = '../../etc/Cargo.toml'\n");
    facts.cargo_manifests = {{"Cargo.toml", ""}};
    EXPECT_EQ(plan_crates(facts, "").manifests, Texts{"Cargo.toml"});
}

TEST(CratesInLock, ArePackagesFromElsewhere) {
    const auto crates = crates_in_lock(
        "version = 4\n[[package]]\nname = 'own'\nversion = '0.1.0'\n"
        "[[package]]\nname = 'libc'\nversion = '0.2.1'\nsource = 'registry+https://r'\n"
        "checksum = 'abc'\n"
    );
    ASSERT_TRUE(crates);
    ASSERT_EQ(crates->size(), 1U);
    EXPECT_EQ(crates->front().name, "libc");
    EXPECT_EQ(crates->front().checksum, "abc");
    EXPECT_FALSE(crates_in_lock("package = [1]"));
    EXPECT_FALSE(crates_in_lock("[[package"));
    EXPECT_TRUE(crates_in_lock("version = 4\n"));
}

}  // namespace
}  // namespace wheelforge::source
