// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "store/inputs.hpp"

using wheelforge::store::Inputs;

TEST(Inputs, AreSortedUniqueLinesWhateverTheOrder) {
    Inputs a;
    a.add("wheel", "setuptools", "1111");
    a.add("env", "CC", "gcc");
    a.add("wheel", "setuptools", "1111");
    Inputs b;
    b.add("env", "CC", "gcc");
    b.add("wheel", "setuptools", "1111");
    EXPECT_EQ(a.text(), "env CC gcc\nwheel setuptools 1111\n");
    EXPECT_EQ(a.text(), b.text());
    EXPECT_EQ(a.key(), b.key());
}

TEST(Inputs, KeyIsTheDigestOfTheText) {
    Inputs inputs;
    EXPECT_EQ(inputs.key(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    inputs.add("source", "sha256", "ab");
    EXPECT_EQ(inputs.key(), wheelforge::sha256("source sha256 ab\n"));
}

TEST(Inputs, EscapeWhatWouldEndALine) {
    Inputs inputs;
    inputs.add("env", "FLAGS", "-O2\n-g\ttab");
    ASSERT_EQ(inputs.lines().size(), 1U);
    EXPECT_EQ(inputs.lines().front(), "env FLAGS -O2\\x0a-g\\x09tab");
}

TEST(Inputs, DifferentTriplesNeverGiveTheSameLine) {
    Inputs inputs;
    inputs.add("env", "A", "x\ny");
    inputs.add("env", "A", "x\\x0ay");
    inputs.add("env", "A B", "c");
    inputs.add("env", "A", "B c");
    inputs.add("env A", "B", "c");
    inputs.add("env", "A", "");
    EXPECT_EQ(inputs.lines().size(), 6U);
}

TEST(Inputs, InvalidUtf8IsEscapedApartFromItsEscapedForm) {
    Inputs inputs;
    inputs.add("env", "A", "\xff");
    inputs.add("env", "A", "\\xff");
    inputs.add("env", "A", "gr\xc3\xbc\xc3\x9f");
    ASSERT_EQ(inputs.lines().size(), 3U);
    EXPECT_NE(inputs.text().find("env A gr\xc3\xbc\xc3\x9f\n"), std::string::npos);
    EXPECT_NE(inputs.text().find("env A \\xff\n"), std::string::npos);
}

TEST(Inputs, AddAllMergesSorted) {
    Inputs plan;
    plan.add("source", "sha256", "1");
    Inputs build;
    build.add("wheel", "flit-core", "2");
    build.add("sandbox", "class", "bwrap-1");
    build.add_all(plan);
    EXPECT_EQ(build.text(), "sandbox class bwrap-1\nsource sha256 1\nwheel flit-core 2\n");
}
