// SPDX-License-Identifier: Apache-2.0
// What settings tell the resolver.
#include "settings_fixture.hpp"

namespace wheelforge::config {
namespace {

class Rules : public SettingsFolder {
protected:
    static const CouplingRule* coupling_of(const Settings& settings, std::string_view origin) {
        for (const auto& rule : settings.couplings()) {
            if (rule.origin == origin) {
                return &rule;
            }
        }
        return nullptr;
    }
};

TEST_F(Rules, CouplingsOfTheGlobalFileHoldForEveryVariantUnlessTheySayOtherwise) {
    here.write(
        "settings.yaml",
        "couplings:\n"
        "  - when: torch==2.10.*\n    require: [triton==3.6.0]\n    because: it was built so\n"
        "  - when: [torch==2.10.*, \"vllm\"]\n    constrain: aotriton==0.11.2b0\n"
        "    variants: [rocm]\n"
    );
    const auto settings = load({"cpu"});
    const auto* always = coupling_of(settings, "settings.yaml:2");
    ASSERT_NE(always, nullptr);
    EXPECT_EQ(texts(always->when), Texts{"torch==2.10.*"});
    EXPECT_EQ(texts(always->require), Texts{"triton==3.6.0"});
    EXPECT_EQ(always->because, "it was built so");
    EXPECT_EQ(coupling_of(settings, "settings.yaml:5"), nullptr);
    const auto of_rocm = load({"base", "rocm"});
    const auto* some = coupling_of(of_rocm, "settings.yaml:5");
    ASSERT_NE(some, nullptr);
    EXPECT_EQ(texts(some->when), (Texts{"torch==2.10.*", "vllm"}));
    EXPECT_TRUE(some->require.empty());
    EXPECT_EQ(texts(some->constrain), Texts{"aotriton==0.11.2b0"});
}

TEST_F(Rules, CouplingsOfAPackageFileCountToo) {
    here.write("settings/a.yaml", "couplings:\n- {when: a>=2, require: b>=2}\n");
    EXPECT_NE(coupling_of(load(), "settings/a.yaml:2"), nullptr);
    EXPECT_EQ(refusal("couplings: [{when: a}]").id(), "bad-value");
    EXPECT_EQ(refusal("couplings: [{require: a}]").id(), "bad-value");
    EXPECT_EQ(refusal("couplings: [{when: a, requires: b}]").id(), "unknown-key");
    EXPECT_EQ(refusal("couplings: [{when: a, require: \"b@\"}]").id(), "bad-requirement");
}

TEST_F(Rules, OverridesPinAndDropWhateverOthersSay) {
    here.write(
        "settings.yaml",
        "overrides:\n  - torch==2.10.0\n  - drop: Triton\n"
        "  - {require: numpy<2, variants: [rocm]}\n"
    );
    const auto settings = load({"cpu"});
    const auto torch = settings.package("torch").resolution.override_version;
    EXPECT_EQ(torch->value.text(), "==2.10.0");
    EXPECT_EQ(torch->origin, "settings.yaml:2");
    EXPECT_TRUE(settings.package("triton").resolution.drop->value);
    EXPECT_FALSE(settings.package("numpy").resolution.override_version);
    EXPECT_TRUE(load({"rocm"}).package("numpy").resolution.override_version);
    EXPECT_EQ(settings.named().at("torch"), "settings.yaml:2");
    for (const auto* bad :
         {"torch", "{require: a==1, drop: b}", "{}", "\"a[x]==1\"", "\"a==1; x\""}) {
        here.write("settings.yaml", std::string("overrides: [") + bad + "]\n");
        EXPECT_EQ(support::thrown_error([&] { (void)load(); }).code(), ExitCode::usage) << bad;
    }
}

TEST_F(Rules, PackageFilesMayOverrideAndDropPerVariant) {
    const std::string content =
        "override: ==1.0\nvariants:\n  spyre: {drop: true}\n  rocm: {override: \"==2.0\"}\n";
    EXPECT_EQ(package(content).resolution.override_version->value.text(), "==1.0");
    EXPECT_FALSE(package(content).resolution.drop);
    EXPECT_TRUE(package(content, {"spyre"}).resolution.drop->value);
    EXPECT_EQ(package(content, {"rocm"}).resolution.override_version->value.text(), "==2.0");
    EXPECT_EQ(refusal("override: \"\"").id(), "bad-value");
    EXPECT_EQ(refusal("override: 2.10").id(), "bad-value");
}

TEST_F(Rules, InstallRequirementsAreReplacedRemovedAndAdded) {
    const auto edit =
        package("requires_dist:\n  remove: [\"nvidia-*\", Triton]\n  add: [\"x>=1\"]\n")
            .resolution.requires_dist;
    const auto stated = [](const char* text) { return *pep::Requirement::parse(text); };
    EXPECT_EQ(
        texts(edit.applied(
            {stated("nvidia_nccl_cu12==2"),
             stated("triton==3.6.0; python_version>'3'"),
             stated("nvidiabot"),
             stated("numpy")}
        )),
        (Texts{"nvidiabot", "numpy", "x>=1"})
    );
    EXPECT_EQ(edit.remove.at(0).origin, "settings/a.yaml:2");
}

TEST_F(Rules, AVariantThatReplacesRequirementsForgetsTheGeneralEdits) {
    const auto edit = package(
                          "requires_dist: {remove: [b], add: [c]}\n"
                          "variants: {rocm: {requires_dist: {replace: [d], add: [e]}}}\n",
                          {"rocm"}
    )
                          .resolution.requires_dist;
    EXPECT_EQ(texts(edit.applied({*pep::Requirement::parse("a")})), (Texts{"d", "e"}));
    const auto none = package("requires_dist: {replace: []}\n").resolution.requires_dist;
    EXPECT_FALSE(none.empty());
    EXPECT_TRUE(none.applied({*pep::Requirement::parse("a")}).empty());
}

TEST_F(Rules, MatchRuntimeIsAListOfNames) {
    EXPECT_EQ(
        package("match_runtime: [torch, Num_Py, torch]\n").resolution.match_runtime->value,
        (Texts{"num-py", "torch"})
    );
    EXPECT_EQ(refusal("match_runtime: [\"torch>2\"]").id(), "bad-value");
}

TEST_F(Rules, RequiresFromNamesAFileOfTheTreeByVariant) {
    const auto path =
        package(
            "requires_from: requirements/${variant.family}.txt\n", {"base", "rocm", "rocm7.2-ubi9"}
        )
            .resolution.requires_from;
    EXPECT_EQ(path->value, "requirements/rocm.txt");
    EXPECT_EQ(refusal("requires_from: /etc/passwd").id(), "bad-value");
    EXPECT_EQ(refusal("requires_from: ../x.txt").id(), "bad-value");
    EXPECT_EQ(refusal("requires_from: ${HOME}.txt").id(), "bad-template");
}

TEST_F(Rules, AStrangerSaysWhyAndWhatInstead) {
    const auto stranger =
        package("never_from_index: {because: somebody else's, instead: build a fork}")
            .resolution.never_from_index;
    EXPECT_EQ(stranger->value.because, "somebody else's");
    EXPECT_EQ(stranger->value.instead, "build a fork");
    EXPECT_EQ(refusal("never_from_index: {because: x}").id(), "bad-value");
    EXPECT_EQ(refusal("never_from_index: true").id(), "bad-value");
}

TEST_F(Rules, FormerNamesLeadToThePresentOne) {
    here.write("settings/b_new.yaml", "renamed_from: [{name: B_Old, because: moved}, older]\n");
    const auto settings = load();
    EXPECT_EQ(settings.renamed("b-old"), "b-new");
    EXPECT_EQ(settings.renamed("older"), "b-new");
    EXPECT_EQ(settings.renamed("b-new"), std::nullopt);
    EXPECT_EQ(
        settings.package("b-new").resolution.renamed_from.at(0).origin, "settings/b_new.yaml:1"
    );
}

TEST_F(Rules, RepositoryAndPreReleases) {
    const auto settings =
        package("repository: {url: https://host/a, tag: \"v${version}\"}\npre_releases: true\n");
    EXPECT_EQ(settings.source.repository->value, "https://host/a");
    EXPECT_EQ(expand_location(*settings.source.tag, "a", "1.0"), "v1.0");
    EXPECT_TRUE(settings.resolution.pre_releases->value);
    EXPECT_EQ(refusal("repository: {tag: x}").id(), "bad-value");
    EXPECT_EQ(refusal("repository: {url: \"ext::sh -c x\"}").id(), "bad-value");
}

}  // namespace
}  // namespace wheelforge::config
