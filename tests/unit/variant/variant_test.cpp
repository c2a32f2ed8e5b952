// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"
#include "variant/variant.hpp"

namespace wheelforge::variant {
namespace {

using support::thrown_error;
using Names = std::vector<std::string>;

class Variants : public testing::Test {
protected:
    support::WorkingDirectory here;
};

TEST_F(Variants, AllThatComeWithTheProgramLoad) {
    EXPECT_EQ(known_variants(), (Names{"cpu", "cuda", "gaudi", "rocm", "spyre", "tpu"}));
    for (const auto& name : known_variants()) {
        const auto variant = load_variant(name);
        EXPECT_EQ(variant.name, name);
        EXPECT_EQ(variant.lineage, (Names{"base", name}));
        EXPECT_FALSE(variant.description.empty());
        EXPECT_TRUE(variant.is("base"));
        EXPECT_TRUE(variant.is(name));
        EXPECT_FALSE(variant.is("other"));
    }
    EXPECT_EQ(load_variant("base").lineage, Names{"base"});
}

TEST_F(Variants, SayWhatTheyAreToVllm) {
    const auto device = [](const std::string& name) {
        for (const auto& variable : load_variant(name).env) {
            if (variable.name == "VLLM_TARGET_DEVICE") {
                return variable.value;
            }
        }
        return std::string("none");
    };
    EXPECT_EQ(device("rocm"), "rocm");
    EXPECT_EQ(device("gaudi"), "empty");
    EXPECT_EQ(device("base"), "none");
}

TEST_F(Variants, NameTheFileAndLineOfAVariable) {
    const auto variant = load_variant("cpu");
    ASSERT_FALSE(variant.env.empty());
    EXPECT_TRUE(variant.env[0].origin.starts_with("variants/cpu.yaml:")) << variant.env[0].origin;
}

TEST_F(Variants, OfTheUserExtendOthers) {
    here.write("variants/rocm7.14-ubi9.yaml", "extends: rocm\nenv:\n  SITE: 1\n");
    const auto variant = load_variant("rocm7.14-ubi9");
    EXPECT_EQ(variant.lineage, (Names{"base", "rocm", "rocm7.14-ubi9"}));
    EXPECT_EQ(variant.description, load_variant("rocm").description);
    EXPECT_EQ(variant.env.back().name, "SITE");
    EXPECT_EQ(variant.env.back().origin, "./variants/rocm7.14-ubi9.yaml:3");
    EXPECT_GT(variant.env.size(), 1U);
    const auto known = known_variants();
    EXPECT_TRUE(std::find(known.begin(), known.end(), "rocm7.14-ubi9") != known.end());
}

TEST_F(Variants, OfTheUserReplaceOneThatComesWithTheProgram) {
    here.write("variants/cpu.yaml", "description: mine\n");
    const auto variant = load_variant("cpu");
    EXPECT_EQ(variant.lineage, Names{"cpu"});
    EXPECT_TRUE(variant.env.empty());
}

TEST_F(Variants, OfTheUserBuildOnTheOneOfTheirName) {
    here.write("variants/cpu.yaml", "extends: cpu\nenv: {MORE: 1}\n");
    const auto variant = load_variant("cpu");
    EXPECT_EQ(variant.lineage, (Names{"base", "cpu"}));
    EXPECT_EQ(variant.env.back().name, "MORE");
    EXPECT_GT(variant.env.size(), 1U);
}

TEST_F(Variants, KeepBothValuesOfANameInOrder) {
    here.write("variants/a.yaml", "env: {X: one}\n");
    here.write("variants/b.yaml", "extends: a\nenv: {X: \"${X} two\"}\n");
    const auto variant = load_variant("b");
    ASSERT_EQ(variant.env.size(), 2U);
    EXPECT_EQ(variant.env[0].value, "one");
    EXPECT_EQ(variant.env[1].value, "${X} two");
}

TEST_F(Variants, ThatDoNotExistAreRefusedWithWhatIsNear) {
    const auto error = thrown_error([] { (void)load_variant("rcom"); });
    EXPECT_EQ(error.id(), "unknown-variant");
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_EQ(error.message(), "there is no variant 'rcom'");
    EXPECT_TRUE(error.advice().at(0).starts_with("did you mean rocm?")) << error.advice()[0];
    const auto far = thrown_error([] { (void)load_variant("mainframe"); });
    EXPECT_TRUE(far.advice().at(0).starts_with("variants: cpu, cuda")) << far.advice()[0];
}

TEST_F(Variants, CannotBeNamedByAPath) {
    here.write("secret.yaml", "description: not a variant\n");
    fs::create_directory(here.path() / "variants");
    for (const auto* name : {"../secret", "", ".", "..", "/etc/passwd", "a/b", "-x", "a\n"}) {
        EXPECT_EQ(thrown_error([&] { (void)load_variant(name); }).id(), "unknown-variant") << name;
    }
}

TEST_F(Variants, ThatExtendNothingKnownNameTheLine) {
    here.write("variants/mine.yaml", "description: x\nextends: rocm6\n");
    const auto error = thrown_error([] { (void)load_variant("mine"); });
    EXPECT_EQ(error.id(), "unknown-variant");
    EXPECT_EQ(error.message(), "./variants/mine.yaml:2:10: there is no variant 'rocm6'");
}

TEST_F(Variants, ThatExtendEachOtherAreRefused) {
    here.write("variants/a.yaml", "extends: b\n");
    here.write("variants/b.yaml", "extends: a\n");
    EXPECT_EQ(thrown_error([] { (void)load_variant("a"); }).id(), "variant-cycle");
    // Its own name means the one that comes with the program, and there is none.
    here.write("variants/c.yaml", "extends: c\n");
    EXPECT_EQ(thrown_error([] { (void)load_variant("c"); }).id(), "unknown-variant");
}

TEST_F(Variants, WithUnknownKeysAreRefused) {
    here.write("variants/a.yaml", "environment: {}\n");
    EXPECT_EQ(thrown_error([] { (void)load_variant("a"); }).id(), "unknown-key");
    here.write("variants/a.yaml", "extends: [base]\n");
    EXPECT_EQ(thrown_error([] { (void)load_variant("a"); }).id(), "bad-value");
}

TEST_F(Variants, MayBeEmptyFiles) {
    here.write("variants/empty.yaml", "");
    EXPECT_EQ(load_variant("empty").lineage, Names{"empty"});
}

}  // namespace
}  // namespace wheelforge::variant
