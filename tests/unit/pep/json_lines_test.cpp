// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "pep/json_lines.hpp"

namespace wheelforge::pep {
namespace {

void expect_answer(std::string_view kind, std::string_view question, std::string_view answer) {
    EXPECT_EQ(answer_json_line(kind, question), answer) << kind << " " << question;
}

TEST(JsonLines, Version) {
    expect_answer(
        "version",
        R"({"version": "1!1.0A1+Ab.1"})",
        R"({"ok":true,"normalized":"1!1.0a1+ab.1","public":"1!1.0a1","base":"1!1.0",)"
        R"("local":"ab.1","epoch":1,"is_prerelease":true})"
    );
    expect_answer(
        "version",
        R"({"version": "2"})",
        R"({"ok":true,"normalized":"2","public":"2","base":"2","local":null,"epoch":0,)"
        R"("is_prerelease":false})"
    );
}

TEST(JsonLines, VersionsCompared) {
    expect_answer("version", R"({"a": "1.0", "b": "1.0.post1"})", R"({"ok":true,"compare":-1})");
    expect_answer("version", R"({"a": "1.0", "b": "1"})", R"({"ok":true,"compare":0})");
    expect_answer("version", R"({"a": "1.0", "b": "1rc1"})", R"({"ok":true,"compare":1})");
    expect_answer(
        "version",
        R"({"a": "1.0", "b": "1x"})",
        R"({"ok":false,"error":"b: this does not belong to a version","offset":1})"
    );
}

TEST(JsonLines, Specifier) {
    expect_answer(
        "specifier",
        R"({"specifier": ">= 1, <2", "versions": ["1.0", "1.5a1", "x", "2"], "prereleases": null})",
        R"({"ok":true,"normalized":"<2,>=1","contains":[true,true,false,false],"filter":["1.0"]})"
    );
    expect_answer(
        "specifier",
        R"({"specifier": ">=1", "versions": ["1.5a1"], "prereleases": false})",
        R"({"ok":true,"normalized":">=1","contains":[false],"filter":[]})"
    );
    expect_answer(
        "specifier",
        R"({"specifier": ">=1", "versions": ["V1.5A1"]})",
        R"({"ok":true,"normalized":">=1","contains":[true],"filter":["V1.5A1"]})"
    );
}

TEST(JsonLines, Marker) {
    expect_answer(
        "marker",
        R"({"marker": "python_version>'3.8'", "environment": {"python_version": "3.12"}, "extra": ""})",
        R"({"ok":true,"normalized":"python_version > \"3.8\"","value":true})"
    );
    expect_answer(
        "marker",
        R"({"marker": "extra=='A_b'", "environment": {}, "extra": "a.b"})",
        R"({"ok":true,"normalized":"extra == \"a-b\"","value":true})"
    );
    expect_answer(
        "marker",
        R"({"marker": "'a' in extras", "environment": {"extras": ["A"]}})",
        R"({"ok":true,"normalized":"\"a\" in extras","value":true})"
    );
    expect_answer(
        "marker",
        R"({"marker": "os_name=='a'", "environment": {}})",
        R"({"ok":false,"error":"the marker variable os_name has no value","offset":0})"
    );
}

TEST(JsonLines, Requirement) {
    expect_answer(
        "requirement",
        R"({"requirement": "Foo_Bar[b,A]>=1,<2;os_name=='x'"})",
        R"({"ok":true,"name":"Foo_Bar","extras":["A","b"],"specifier":"<2,>=1","url":null,)"
        R"("marker":"os_name == \"x\""})"
    );
    expect_answer(
        "requirement",
        R"({"requirement": "a @ https://x"})",
        R"({"ok":true,"name":"a","extras":[],"specifier":"","url":"https://x","marker":null})"
    );
}

TEST(JsonLines, Filename) {
    expect_answer(
        "filename",
        R"({"filename": "Foo-1.0-2b-py2.py3-none-any.whl"})",
        R"({"ok":true,"kind":"wheel","name":"foo","version":"1.0","build":[2,"b"],)"
        R"("tags":["py2-none-any","py3-none-any"]})"
    );
    expect_answer(
        "filename",
        R"({"filename": "a-1-1.tgz", "project": "A"})",
        R"({"ok":true,"kind":"sdist","name":"a","version":"1.post1","extension":".tgz"})"
    );
}

TEST(JsonLines, Tags) {
    expect_answer("tags", R"({"tag": "py3-none-any"})", R"({"ok":true,"tags":["py3-none-any"]})");
    const auto answer =
        parse_json(
            answer_json_line(
                "tags",
                R"({"python": "3.13", "machine": "aarch64", "glibc": "2.17", "free_threaded": true,
            "candidates": ["cp313-cp313t-linux_aarch64", "cp313-cp313-linux_aarch64"]})"
            )
        )
            .value();
    EXPECT_EQ(answer["tags"][0], "cp313-cp313t-linux_aarch64");
    EXPECT_EQ(answer["environment"]["python_full_version"], "3.13.0");
    EXPECT_EQ(answer["ranks"], Json::array({0, -1}));
}

TEST(JsonLines, License) {
    expect_answer(
        "license",
        R"({"expression": "mit or gpl-2.0"})",
        R"({"ok":true,"normalized":"MIT OR GPL-2.0","licenses":["MIT","GPL-2.0"],)"
        R"("exceptions":[],"deprecated":["GPL-2.0"]})"
    );
}

TEST(JsonLines, BuildSystem) {
    expect_answer(
        "build-system",
        "{}",
        R"({"ok":true,"requires":["setuptools >= 40.8.0"],)"
        R"("backend":"setuptools.build_meta:__legacy__","backend_path":[],"legacy":true,"project":null})"
    );
    expect_answer(
        "build-system",
        R"({"pyproject": "[project]\nname='a'\n[dependency-groups]\ng=['b']\n", "group": "G"})",
        R"({"ok":true,"requires":["setuptools >= 40.8.0"],)"
        R"("backend":"setuptools.build_meta:__legacy__","backend_path":[],"legacy":true,)"
        R"("project":{"name":"a","version":null,"dependencies":[],"optional_dependencies":{},)"
        R"("requires_python":null,"dynamic":[]},"group":["b"]})"
    );
}

TEST(JsonLines, WhatIsNoQuestionIsAnsweredToo) {
    for (const std::string_view kind : json_line_kinds()) {
        for (const char* question :
             {"",
              "{",
              "[]",
              "null",
              "{} x",
              "{\"a\": 1, \"a\": 2}",
              "{\"version\": 1}",
              "\xff",
              "{\"specifier\": \">=1\", \"versions\": [1]}",
              "{\"tag\": \"x\"}",
              "{\"expression\": null}",
              "{\"pyproject\": 1}",
              "{\"pyproject\": \"[\"}"}) {
            const auto answer = parse_json(answer_json_line(kind, question));
            ASSERT_TRUE(answer) << kind << " " << question;
            EXPECT_EQ((*answer)["ok"].is_boolean(), true);
            if (!(*answer)["ok"]) {
                EXPECT_TRUE((*answer)["error"].is_string());
                EXPECT_TRUE((*answer)["offset"].is_number_unsigned());
            }
        }
    }
}

TEST(JsonLines, AnswersAreOneLine) {
    const std::string answer = answer_json_line("requirement", R"({"requirement": "a @ b\nc"})");
    EXPECT_EQ(answer.find('\n'), std::string::npos);
}

TEST(JsonLines, RefusesKindsThatDoNotExist) {
    expect_answer("wheel", "{}", R"({"ok":false,"error":"there is no kind 'wheel'","offset":0})");
    EXPECT_EQ(json_line_kinds().size(), 8U);
}

}  // namespace
}  // namespace wheelforge::pep
