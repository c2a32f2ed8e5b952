// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "support/working_directory.hpp"
#include "variant/toolchain_probe.hpp"

namespace wheelforge::variant {
namespace {

class Toolchains : public testing::Test {
protected:
    static ToolchainRule rule(const std::string& yaml) {
        ToolchainRule rule;
        read_toolchain(yaml::parse(yaml, "variant.yaml"), rule);
        return rule;
    }
    std::string at(const std::string& path) const { return (here.path() / path).string(); }
    void program(const std::string& path, const std::string& text) {
        here.write(path, "#!/bin/sh\n" + text + "\n");
        ASSERT_EQ(::chmod(at(path).c_str(), 0755), 0);
    }

    support::WorkingDirectory here;
    Surroundings where{{}, "/usr/bin:/bin", {}};
};

TEST_F(Toolchains, AreTheFirstPlaceThatHasAMarker) {
    here.write("b/bin/cc", "");
    here.write("a/other", "");
    const auto two = rule(
        "{name: X, roots: [{variable: X_HOME}, {path: '" + at("a") + "'}, {path: '" + at("b")
        + "'}], marker: [bin/cc]}"
    );
    const auto probe = find_toolchain(two, where);
    ASSERT_TRUE(probe.found);
    EXPECT_EQ(probe.found->root, at("b"));
    EXPECT_EQ(
        join(probe.tried, "|"), "X_HOME: not set|" + at("a") + ": " + at("a") + " has no bin/cc"
    );
    where.variables["X_HOME"] = at("b");
    EXPECT_EQ(find_toolchain(two, where).found->found_by, "X_HOME");
}

TEST_F(Toolchains, OfSeveralVersionsTheHighestCounts) {
    for (const auto* folder : {"core-7.9", "core-7.14", "core-7.2"}) {
        here.write(std::string(folder) + "/bin/cc", "");
    }
    const auto all = rule("{name: X, roots: [{path: '" + at("core-*") + "'}], marker: [bin/cc]}");
    EXPECT_EQ(find_toolchain(all, where).found->root.filename(), "core-7.14");
}

TEST_F(Toolchains, AreFoundByAProgramOnPath) {
    program("sdk/bin/cc-of-sdk", "true");
    where.path = at("sdk/bin");
    const auto by_program =
        rule("{name: X, roots: [{program: cc-of-sdk, up: 2}], marker: [bin/cc-of-sdk]}");
    EXPECT_EQ(find_toolchain(by_program, where).found->root, fs::canonical(at("sdk")));
    where.path = "/nowhere";
    EXPECT_EQ(find_toolchain(by_program, where).tried.at(0), "cc-of-sdk: not on PATH");
}

TEST_F(Toolchains, AreToldByAProgramOfTheInterpreter) {
    here.write("sdk/marker", "");
    program("venv/bin/the-sdk", "echo " + at("sdk"));
    where.python_bin = at("venv/bin");
    const auto by_python =
        rule("{name: X, roots: [{python: [the-sdk, path], distributions: [The_SDK.devel]}], "
             "marker: [marker]}");
    EXPECT_EQ(by_python.roots.at(0).distributions.at(0), "the-sdk-devel");
    EXPECT_EQ(find_toolchain(by_python, where).found->root, at("sdk"));
}

TEST_F(Toolchains, TellTheirVersionByTheFirstReaderThatAnswers) {
    here.write("sdk/version.h", "#define MAJOR 7\n#define MINOR 2\n");
    const auto read = rule(
        "{name: X, roots: [{path: '" + at("sdk")
        + "'}], version: [{file: absent, pattern: '(.*)'}, {command: [no-such-program], pattern: "
          "'(.*)'}, {file: version.h, pattern: 'MAJOR ([0-9]+)[^]*MINOR ([0-9]+)'}]}"
    );
    const auto found = find_toolchain(read, where).found;
    ASSERT_TRUE(found && found->version);
    EXPECT_EQ(found->version->text(), "7.2");
    EXPECT_EQ(found->version_from, "version.h");
}

TEST_F(Toolchains, HaveAFingerprintOfCompilerAndDeviceLibraries) {
    program("sdk/bin/cc", "echo commit one");
    here.write("sdk/lib/a.bc", "one");
    here.write("sdk/readme", "one");
    const auto described = rule(
        "{name: X, roots: [{path: '" + at("sdk")
        + "'}], fingerprint: {files: ['lib/*.bc'], commands: [[bin/cc, --version]]}}"
    );
    const auto now = [&] {
        return fingerprint(described, *find_toolchain(described, where).found, where.path);
    };
    const auto first = now();
    here.write("sdk/readme", "two");
    EXPECT_EQ(now(), first);
    here.write("sdk/lib/a.bc", "other");
    const auto second = now();
    EXPECT_NE(second, first);
    program("sdk/bin/cc", "echo commit two");
    const auto third = now();
    EXPECT_NE(third, second);
    here.write("sdk/lib/b.bc", "more");
    EXPECT_NE(now(), third);
}

TEST_F(Toolchains, SayWhatTheirCompilerAccepts) {
    program("sdk/bin/cc", "printf 'gfx90a\\n  gfx942\\nother\\n'");
    const auto asked = rule(
        "{name: X, roots: [{path: '" + at("sdk")
        + "'}], accepts: {commands: [[bin/absent], [bin/cc]], pattern: 'gfx[0-9a-f]+'}}"
    );
    const auto archs = accepted_archs(asked, *find_toolchain(asked, where).found, where.path);
    ASSERT_TRUE(archs);
    EXPECT_EQ(join(*archs, " "), "gfx90a gfx942");
}

}  // namespace
}  // namespace wheelforge::variant
