// SPDX-License-Identifier: Apache-2.0
// One file by itself; files that name others: requirements_tree_test.cpp.
#include <cstdlib>

#include <gtest/gtest.h>

#include "config/requirements_file.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {
namespace {

using support::thrown_error;
using Texts = std::vector<std::string>;

class Requirements : public testing::Test {
protected:
    RequirementsFile read(std::string_view content) {
        here.write("r.txt", content);
        return read_requirements_file("r.txt");
    }
    Texts texts(std::string_view content) {
        Texts out;
        for (const auto& line : read(content).requirements) {
            out.push_back(line.requirement.text());
        }
        return out;
    }
    Error refusal(std::string_view content) {
        auto error = thrown_error([&] { (void)read(content); });
        EXPECT_EQ(error.id(), "bad-requirement") << content;
        EXPECT_EQ(error.code(), ExitCode::usage);
        return error;
    }
    Error constraint_refusal(std::string_view content) {
        here.write("c.txt", content);
        auto error = thrown_error([&] { (void)read_constraints_file("c.txt"); });
        EXPECT_EQ(error.id(), "bad-requirement") << content;
        return error;
    }
    support::WorkingDirectory here;
};

const std::string digest(64, 'a');

TEST_F(Requirements, AreReadAsPipDoes) {
    EXPECT_EQ(
        texts("# comment\n\nclick==8.1.7  # pinned\nrequests[socks]>=2; python_version >= \"3.8\"\n"
              "torch @ https://host/t.tar.gz#sha256=00\n  jinja2  "),
        (Texts{
            "click==8.1.7",
            "requests[socks]>=2; python_version >= \"3.8\"",
            "torch @ https://host/t.tar.gz#sha256=00",
            "jinja2",
        })
    );
}

TEST_F(Requirements, KnowWhereTheyStand) {
    const auto file = read("a\n\nb \\\n  >=1\nc\n");
    ASSERT_EQ(file.requirements.size(), 3U);
    EXPECT_EQ(file.requirements[0].origin, "r.txt:1");
    EXPECT_EQ(file.requirements[1].origin, "r.txt:3");
    EXPECT_EQ(file.requirements[1].requirement.text(), "b>=1");
    EXPECT_EQ(file.requirements[2].origin, "r.txt:5");
}

TEST_F(Requirements, AcceptBomCrlfAndNoLastNewline) {
    EXPECT_EQ(
        texts("\xef\xbb\xbf"
              "a\r\nb\r\nc"),
        (Texts{"a", "b", "c"})
    );
    EXPECT_EQ(texts(""), Texts{});
}

TEST_F(Requirements, RefuseOtherEncodings) {
    EXPECT_EQ(refusal("a\nb # f\xfcr\n").message(), "r.txt:2:1: not valid UTF-8");
    (void)refusal(std::string_view(
        "\xff\xfe"
        "a\0",
        4
    ));
}

TEST_F(Requirements, CarryHashes) {
    const auto file = read(
        "a==1 --hash=sha256:" + digest + " \\\n    --hash sha384:" + std::string(96, 'B') + "\nb\n"
    );
    ASSERT_EQ(file.requirements.size(), 2U);
    EXPECT_EQ(
        file.requirements[0].hashes, (Texts{"sha256:" + digest, "sha384:" + std::string(96, 'b')})
    );
    EXPECT_TRUE(file.requirements[1].hashes.empty());
}

TEST_F(Requirements, RefuseHashesThatProveNothing) {
    EXPECT_EQ(
        refusal("a\nb==1 --hash=md5:" + std::string(32, 'a')).message(),
        "r.txt:2:6: --hash: expected sha256:, sha384: or sha512: and hexadecimal digits"
    );
    EXPECT_EQ(
        refusal("a --hash=sha256:abc").message(),
        "r.txt:1:3: --hash: sha256 has 64 hexadecimal digits"
    );
    (void)refusal("a --hash=sha256:" + std::string(64, 'g'));
    (void)refusal("a --hash=" + digest);
    EXPECT_EQ(
        refusal("--hash=sha256:" + digest).message(), "r.txt:1:1: --hash without a requirement"
    );
}

TEST_F(Requirements, CollectOptions) {
    const auto file = read(
        "-i https://one/simple\n--index-url=https://two/simple\n--extra-index-url https://three\n"
        "-f links --trusted-host host\n--no-index\n--pre\n--require-hashes\n"
    );
    EXPECT_EQ(file.index_urls, (Texts{"https://one/simple", "https://two/simple"}));
    EXPECT_EQ(file.extra_index_urls, Texts{"https://three"});
    EXPECT_EQ(file.find_links, Texts{"links"});
    EXPECT_EQ(file.trusted_hosts, Texts{"host"});
    EXPECT_TRUE(file.no_index);
    EXPECT_TRUE(file.allow_prereleases);
    EXPECT_TRUE(file.require_hashes);
    EXPECT_FALSE(read("a").no_index);
}

TEST_F(Requirements, TakeVariablesFromTheEnvironment) {
    ::setenv("WHEELFORGE_TEST_TOKEN", "secret", 1);
    ::unsetenv("WHEELFORGE_TEST_UNSET");
    const auto file = read("--index-url https://${WHEELFORGE_TEST_TOKEN}@host\n"
                           "--extra-index-url https://${WHEELFORGE_TEST_UNSET}@host\n");
    ::unsetenv("WHEELFORGE_TEST_TOKEN");
    EXPECT_EQ(file.index_urls, Texts{"https://secret@host"});
    EXPECT_EQ(file.extra_index_urls, Texts{"https://${WHEELFORGE_TEST_UNSET}@host"});
}

TEST_F(Requirements, NameThePlaceOfAnError) {
    EXPECT_EQ(refusal("a\nb >= \n").message().substr(0, 8), "r.txt:2:");
    EXPECT_EQ(refusal("ok\n   b =< 1\n").message().substr(0, 10), "r.txt:2:6:");
    EXPECT_EQ(refusal("a \\\n  ; bad marker\n").message().substr(0, 8), "r.txt:2:");
    EXPECT_EQ(refusal("a --unknown").message(), "r.txt:1:3: unknown option --unknown");
    EXPECT_EQ(
        refusal("a \\ \n").message(),
        "r.txt:1:3: a blank follows the backslash that should end the line"
    );
}

TEST_F(Requirements, RefuseWhatHasNoName) {
    for (const auto* line :
         {".",
          "./folder",
          "../x",
          "/abs/x-1.0.tar.gz",
          "x-1.0-py3-none-any.whl",
          "sub/x.zip",
          "https://host/x-1.0.tar.gz",
          "git+https://host/x",
          "file:///x",
          "C:\\x"}) {
        const auto error = refusal(line);
        EXPECT_NE(error.message().find("without a name"), std::string::npos) << line;
        EXPECT_NE(error.advice().at(0).find("NAME @ URL"), std::string::npos);
    }
}

TEST_F(Requirements, RefuseOptionsThatDoNotBelong) {
    EXPECT_EQ(refusal("a --pre").message(), "r.txt:1:3: --pre must stand on a line of its own");
    EXPECT_EQ(
        refusal("a\n  -e ./x\n").message().substr(0, 45),
        "r.txt:2:3: option -e is not supported; build "
    );
}

TEST_F(Requirements, SayWhatIsTakenAsAWheelUntilALaterLineTakesItBack) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(read("--only-binary A.b,torch\n--no-binary torch").only_binary, Names{"a-b"});
    EXPECT_EQ(read("--no-binary :all:").only_binary, Names{});
    EXPECT_EQ(read("--only-binary=:all:").only_binary, Names{":all:"});
    EXPECT_EQ(read("--only-binary=x\n--only-binary=:none:").only_binary, Names{});
    EXPECT_EQ(read("--only-binary=x\n--no-binary=:none:").only_binary, Names{"x"});
    EXPECT_EQ(refusal("--only-binary=a/b").message().substr(0, 26), "r.txt:1:1: --only-binary: ");
}

TEST_F(Requirements, SurviveVeryLongLines) {
    std::string text = "a";
    for (int i = 0; i < 50'000; ++i) {
        text += " \\\n ";
    }
    EXPECT_EQ(texts(text), Texts{"a"});
}

TEST_F(Requirements, ThatAreMissingAreNamed) {
    const auto error = thrown_error([] { (void)read_requirements_file("none.txt"); });
    EXPECT_EQ(error.id(), "file-not-found");
    EXPECT_EQ(error.message(), "none.txt does not exist");
}

TEST_F(Requirements, AsConstraintsHaveNoExtrasAndNoUrl) {
    EXPECT_EQ(
        constraint_refusal("a==1\nb[x]==2\n").message(),
        "c.txt:2:1: a constraint cannot have extras"
    );
    EXPECT_EQ(
        constraint_refusal("a @ https://host/a.tar.gz").message(),
        "c.txt:1:1: a constraint cannot name a URL"
    );
    (void)constraint_refusal("-e .");
    (void)constraint_refusal("./a");
    here.write("c.txt", "a==1; sys_platform == 'linux'\nb\n");
    const auto file = read_constraints_file("c.txt");
    EXPECT_TRUE(file.requirements.empty());
    ASSERT_EQ(file.constraints.size(), 2U);
    EXPECT_EQ(file.constraints[0].origin, "c.txt:1");
}

TEST(ParseRequirement, RefusesAsTheFileDoes) {
    EXPECT_EQ(parse_requirement("Click >= 8", "REQ").text(), "click>=8");
    for (const auto* text : {"./x", "https://host/x.zip", "a ==", "", "a b"}) {
        const auto error = thrown_error([&] { (void)parse_requirement(text, "REQ"); });
        EXPECT_EQ(error.id(), "bad-requirement") << text;
        EXPECT_TRUE(error.message().starts_with("REQ: ")) << error.message();
    }
}

}  // namespace
}  // namespace wheelforge::config
