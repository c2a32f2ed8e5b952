// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/yaml.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::yaml {
namespace {

using support::thrown_error;

Node parsed(std::string_view text) {
    return parse(text, "f.yaml");
}

/// The message of the refusal, which must be a "bad-yaml".
std::string refusal(std::string_view text) {
    const auto error = thrown_error([&] { (void)parsed(text); });
    EXPECT_EQ(error.id(), "bad-yaml");
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.message();
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

TEST(Yaml, KeepsTextQuotesAndOrder) {
    const auto node =
        parsed("version: 1.10\nquoted: 'yes'\nlist: [a, \"b\"]\nblock: |\n  x\n  y\n");
    ASSERT_EQ(node.mapping.size(), 4U);
    EXPECT_EQ(node.mapping[0].key, "version");
    EXPECT_EQ(node.find("version")->scalar, "1.10");
    EXPECT_FALSE(node.find("version")->quoted);
    EXPECT_EQ(node.find("quoted")->scalar, "yes");
    EXPECT_TRUE(node.find("quoted")->quoted);
    EXPECT_EQ(node.find("list")->as_strings(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(node.find("block")->scalar, "x\ny\n");
    EXPECT_EQ(node.find("other"), nullptr);
}

TEST(Yaml, KnowsWhereEverythingStands) {
    const auto node = parsed("a: 1\nb:\n  - x\n  - {k: v}\nempty:\nlast: z\n");
    EXPECT_EQ(node.find("a")->key_position.text(), "f.yaml:1:1");
    EXPECT_EQ(node.find("a")->position.text(), "f.yaml:1:4");
    const auto& list = *node.find("b");
    EXPECT_EQ(list.key_position.line, 2);
    EXPECT_EQ(list.position.line, 3);
    EXPECT_EQ(list.sequence[1].find("k")->position.text(), "f.yaml:4:9");
    EXPECT_EQ(list.sequence[1].find("k")->key_position.text(), "f.yaml:4:6");
    EXPECT_EQ(node.find("empty")->position.line, 5);
    EXPECT_EQ(node.find("empty")->key, "empty");
}

TEST(Yaml, NothingIsNull) {
    for (const auto* text : {"", "\n", "# only a comment\n", "---\n", "~", "null"}) {
        EXPECT_TRUE(parsed(text).is_null()) << text;
    }
    EXPECT_TRUE(parsed("a: ~").find("a")->is_null());
    EXPECT_TRUE(parsed("a: null").find("a")->is_null());
    EXPECT_FALSE(parsed("a: 'null'").find("a")->is_null());
    EXPECT_FALSE(parsed("a: ''").find("a")->is_null());
}

TEST(Yaml, AcceptsBomCrlfDirectiveAndEndMarker) {
    EXPECT_EQ(
        parsed("\xef\xbb\xbf"
               "a: 1\r\nb: 2\r\n")
            .find("b")
            ->scalar,
        "2"
    );
    EXPECT_EQ(parsed("%YAML 1.2\n---\na: 1\n...\n").find("a")->scalar, "1");
    EXPECT_EQ(parsed("a: 1").find("a")->scalar, "1");  // no newline at the end
}

TEST(Yaml, RefusesDuplicateKeysWithTheirPlace) {
    EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: key 'a' stands twice");
    EXPECT_EQ(refusal("x: {k: 1, \"k\": 2}"), "f.yaml:1:11: key 'k' stands twice");
    EXPECT_NO_THROW((void)parsed("a: {k: 1}\nb: {k: 1}\n"));
}

TEST(Yaml, RefusesAnchorsAliasesAndMergeKeys) {
    EXPECT_EQ(refusal("a: &x 1\n"), "f.yaml:1:4: anchors are not accepted");
    EXPECT_NE(refusal("a: &x {b: 1}\nc: *x\n").find("anchors"), std::string::npos);
    EXPECT_NE(refusal("&x k: 1").find("anchors"), std::string::npos);
    EXPECT_EQ(refusal("a: *x\n").substr(0, 11), "f.yaml:1:4:");
    EXPECT_EQ(refusal("<<: {a: 1}\n"), "f.yaml:1:1: merge keys are not accepted");
    EXPECT_NO_THROW((void)parsed("'<<': 1"));
}

TEST(Yaml, RefusesTags) {
    for (const auto* text :
         {"a: !!python/object:os.system x",
          "a: !foo [1]",
          "!!str a: b",
          "a: !!binary eA==",
          "!!map {a: 1}",
          "a: !<tag:x> b"}) {
        EXPECT_NE(refusal(text).find("tag"), std::string::npos) << text;
    }
}

TEST(Yaml, RefusesMoreThanOneDocument) {
    EXPECT_EQ(refusal("a: 1\n---\nb: 2\n").substr(0, 11), "f.yaml:2:1:");
    EXPECT_EQ(refusal("- a\nb: 1\n").substr(0, 11), "f.yaml:2:1:");
}

TEST(Yaml, RefusesKeysThatAreNoText) {
    for (const auto* text : {"? [a]\n: 1", "? {a: b}\n: 1", "~: 1", "null: 1", ": x", "[[a]: 1]"}) {
        EXPECT_NE(refusal(text).find("key"), std::string::npos) << text;
    }
}

TEST(Yaml, RefusesWhatIsNestedTooDeep) {
    EXPECT_NO_THROW((void)parsed(repeated("- ", 63) + "x"));
    EXPECT_NE(refusal(repeated("- ", 65) + "x").find("deeper than 64"), std::string::npos);
    EXPECT_NE(refusal(repeated("- ", 100'000)).find("deeper than 64"), std::string::npos);
    EXPECT_FALSE(refusal(repeated("[", 10'000)).empty());
    EXPECT_FALSE(refusal(repeated("{", 10'000)).empty());
    EXPECT_FALSE(refusal(repeated("a: [", 10'000)).empty());
}

TEST(Yaml, RefusesWhatIsTooLong) {
    EXPECT_NE(refusal(std::string((4U << 20U) + 1, '#')).find("longer than"), std::string::npos);
    EXPECT_NO_THROW((void)parsed(std::string(4U << 20U, '#')));
}

TEST(Yaml, RefusesOtherEncodings) {
    EXPECT_NE(refusal("a: \xe4\n").find("UTF-8"), std::string::npos);
    EXPECT_FALSE(refusal(std::string_view(
                             "\xff\xfe"
                             "a\0:\0",
                             6
                         ))
                     .empty());
    EXPECT_EQ(refusal(std::string_view("a:\n \0b", 6)), "f.yaml:2:2: control character 0x00");
    EXPECT_EQ(refusal("a: \x1b[31m"), "f.yaml:1:4: control character 0x1b");
    EXPECT_NE(refusal("a: \"\\0\"").find("NUL"), std::string::npos);
    EXPECT_FALSE(refusal("a: \"\\ud800\"").empty());
}

TEST(Yaml, NamesThePlaceOfASyntaxError) {
    EXPECT_EQ(refusal("a: b: c\n").substr(0, 11), "f.yaml:1:5:");
    EXPECT_EQ(refusal("a:\n\tb: 1\n").substr(0, 9), "f.yaml:2:");
    for (const auto* text : {"a: [1, 2", "a: \"x", "a: 'x\nb: 1", "a: @x", "a: `x`", "{a: 1"}) {
        EXPECT_EQ(refusal(text).substr(0, 7), "f.yaml:") << text;
    }
}

TEST(Yaml, LoadsFilesAndNamesThoseMissing) {
    const TempDir folder(fs::temp_directory_path());
    const auto path = (folder.path() / "x.yaml").string();
    const auto error = thrown_error([&] { (void)load(path); });
    EXPECT_EQ(error.id(), "file-not-found");
    EXPECT_EQ(error.code(), ExitCode::usage);
    write_file(path, "");
    EXPECT_TRUE(load(path).is_null());
    write_file(path, "a: 1");
    EXPECT_EQ(load(path).find("a")->position.text(), path + ":1:4");
}

}  // namespace
}  // namespace wheelforge::yaml
