// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/yaml.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"
#include "variant/package_archs.hpp"

namespace wheelforge::variant {
namespace {

using Names = std::vector<std::string>;

class PackageLists : public testing::Test {
protected:
    PackageArchs judged(const std::string& yaml, const Names& archs, const char* version = "1.0") {
        rules = read_package_rules(yaml::parse(yaml, "rules.yaml"));
        return judge_archs(rocm, rules, *pep::Version::parse(version), archs);
    }
    static std::string notes(const PackageArchs& archs) {
        std::string text;
        for (const auto& verdict : archs.verdicts) {
            text += verdict.arch + " " + std::string(support_name(verdict.support)) + " ["
                    + verdict.compiled_for + "] " + verdict.note + "\n";
        }
        return text;
    }

    support::WorkingDirectory here;
    Variant rocm = load_variant("rocm");
    PackageRules rules;
};

TEST_F(PackageLists, WithoutARuleAreTakenAsTheyAre) {
    EXPECT_EQ(judged("{}", {"gfx942", "gfx90a"}).build_for, (Names{"gfx942", "gfx90a"}));
}

TEST_F(PackageLists, FallBackToTheGenericIsaAndToPretending) {
    const auto archs = judged(
        "archs: [{accepts: [gfx1100, gfx9-4-generic]}]", {"gfx942", "gfx1101", "gfx1100", "gfx1030"}
    );
    EXPECT_EQ(
        notes(archs),
        "gfx942 generic [gfx9-4-generic] runs code for gfx9-4-generic\n"
        "gfx1101 override [gfx1100] runs code for gfx1100 if the runtime is told to\n"
        "gfx1100 native [gfx1100] \n"
        "gfx1030 unsupported [] \n"
    );
    ASSERT_EQ(archs.refused().size(), 1U);
    EXPECT_EQ(archs.refused().front()->arch, "gfx1030");
}

TEST_F(PackageLists, LeaveOutWhatIsSkippedUnlessNothingIsLeft) {
    const char* skip = "archs: [{accepts: [gfx942], on_unsupported: skip}]";
    EXPECT_EQ(judged(skip, {"gfx1030", "gfx942"}).build_for, Names{"gfx942"});
    EXPECT_TRUE(judged(skip, {"gfx1030", "gfx942"}).refused().empty());
    EXPECT_EQ(judged(skip, {"gfx1030"}).refused().size(), 1U);
}

TEST_F(PackageLists, AreStubsOnlyWhereNothingElseIsBuilt) {
    const char* stub = "archs: [{accepts: [gfx942], on_unsupported: stub, stub: {NO: 1}}]";
    EXPECT_TRUE(judged(stub, {"gfx1030"}).stub);
    EXPECT_TRUE(judged(stub, {"gfx1030"}).refused().empty());
    EXPECT_FALSE(judged(stub, {"gfx1030", "gfx942"}).stub);
}

TEST_F(PackageLists, AreThrownAwayOnlyWhereNothingElseIsBuilt) {
    const char* rule = "archs: [{accepts: [gfx942, gfx950], on_unsupported: 'throwaway:gfx950'}]";
    EXPECT_EQ(judged(rule, {"gfx1030", "gfx1031"}).build_for, Names{"gfx950"});
    EXPECT_EQ(judged(rule, {"gfx1030", "gfx942"}).build_for, Names{"gfx942"});
    EXPECT_EQ(
        notes(judged(rule, {"gfx1030"})),
        "gfx1030 unsupported [gfx950] compiled for gfx950 so that others can link to it\n"
    );
}

TEST_F(PackageLists, FollowTheFirstRuleThatHoldsForTheVersion) {
    const char* two = "archs:\n"
                      "- {versions: '<2', accepts: [gfx942]}\n"
                      "- {variants: [cuda], accepts: [\"9.0\"]}\n"
                      "- {accepts: [gfx950]}\n";
    EXPECT_EQ(judged(two, {"gfx950"}, "1.9").refused().size(), 1U);
    EXPECT_TRUE(judged(two, {"gfx950"}, "2.0").refused().empty());
}

TEST_F(PackageLists, SayWhereKernelsAreNotHandWritten) {
    const auto archs =
        judged("archs: [{accepts: [gfx90a, gfx942], assembly: [gfx942]}]", {"gfx90a", "gfx942"});
    EXPECT_FALSE(archs.verdicts.at(0).has_assembly);
    EXPECT_TRUE(archs.verdicts.at(1).has_assembly);
}

TEST_F(PackageLists, BoundsOfBuildToolsNameVersions) {
    const auto error = support::thrown_error([] {
        (void
        )read_package_rules(yaml::parse("build_constraints: [{constrain: cmake}]", "rules.yaml"));
    });
    EXPECT_EQ(error.id(), "bad-value");
    EXPECT_TRUE(error.message().starts_with("rules.yaml:1:")) << error.message();
}

}  // namespace
}  // namespace wheelforge::variant
