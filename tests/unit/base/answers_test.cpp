// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/answers.hpp"
#include "base/files.hpp"

namespace wheelforge {

namespace {

class AnswersTest : public testing::Test {
protected:
    AnswersTest() { answers::keep_in(folder_.path() / "answers"); }
    ~AnswersTest() override { answers::keep_in({}); }

    TempDir folder_{fs::temp_directory_path(), "answers-"};
};

TEST_F(AnswersTest, AnAnswerIsRememberedByItsQuestion) {
    EXPECT_FALSE(answers::recall("which version"));
    answers::remember("which version", "3.25");
    EXPECT_EQ(answers::recall("which version"), "3.25");
    EXPECT_FALSE(answers::recall("another question"));
}

TEST_F(AnswersTest, WithoutAFolderNothingIsRemembered) {
    answers::keep_in({});
    answers::remember("which version", "3.25");
    EXPECT_FALSE(answers::recall("which version"));
}

TEST_F(AnswersTest, AFolderThatCannotBeWrittenIsNoError) {
    write_file(folder_.path() / "file", "");
    answers::keep_in(folder_.path() / "file" / "below");
    answers::remember("which version", "3.25");
    EXPECT_FALSE(answers::recall("which version"));
}

TEST_F(AnswersTest, AProgramThatChangedIsAnother) {
    const auto program = folder_.path() / "program";
    write_file(
        program,
        "\x7f"
        "ELF one"
    );
    const auto before = answers::identity_of(program);
    write_file(
        program,
        "\x7f"
        "ELF another"
    );
    EXPECT_TRUE(before);
    EXPECT_NE(answers::identity_of(program), before);
}

TEST_F(AnswersTest, AScriptHasNoIdentityOfItsOwn) {
    write_file(folder_.path() / "script", "#!/bin/sh\nexec python3\n");
    EXPECT_FALSE(answers::identity_of(folder_.path() / "script"));
    EXPECT_FALSE(answers::identity_of(folder_.path() / "absent"));
}

}  // namespace

}  // namespace wheelforge
