// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "build/scripts.hpp"

namespace wheelforge::build {
namespace {

TEST(Scripts, StartWithTheInterpreterOfTheirPrefix) {
    EXPECT_EQ(script_head("/build/env"), "#!/build/env/bin/python\n");
    EXPECT_EQ(script_head("/build/env", " -s"), "#!/build/env/bin/python -s\n");
}

TEST(Scripts, GoThroughAShellWhereTheKernelWouldCutTheLine) {
    const std::string far = "/" + std::string(200, 'x');
    EXPECT_EQ(
        script_head(far), "#!/bin/sh\n'''exec' \"" + far + "/bin/python\" \"$0\" \"$@\"\n' '''\n"
    );
    EXPECT_TRUE(script_head("/with blank").starts_with("#!/bin/sh\n"));
}

TEST(Scripts, ReplaceOnlyThePlaceholder) {
    EXPECT_EQ(with_interpreter("#!python\nx\n", "/e"), "#!/e/bin/python\nx\n");
    EXPECT_EQ(with_interpreter("#!pythonw -E\nx", "/e"), "#!/e/bin/python -E\nx");
    EXPECT_EQ(with_interpreter("#!python\r\nx", "/e"), "#!/e/bin/python\nx");
    EXPECT_EQ(with_interpreter("#!python", "/e"), "#!/e/bin/python\n");
    EXPECT_EQ(with_interpreter("#!python3\nx", "/e"), std::nullopt);
    EXPECT_EQ(with_interpreter("#!/bin/sh\n", "/e"), std::nullopt);
    EXPECT_EQ(
        with_interpreter(
            "\x7f"
            "ELF",
            "/e"
        ),
        std::nullopt
    );
    EXPECT_EQ(with_interpreter("", "/e"), std::nullopt);
}

TEST(Scripts, MoveToAnotherPrefix) {
    EXPECT_EQ(moved_script("#!/a/bin/python -s\nx\n", "/a", "/b"), "#!/b/bin/python -s\nx\n");
    EXPECT_EQ(moved_script("#!/a/bin/python3\nx\n", "/a", "/b"), std::nullopt);
    EXPECT_EQ(moved_script("#!/c/bin/python\n", "/a", "/b"), std::nullopt);
}

TEST(Scripts, LaunchEntryPoints) {
    EXPECT_EQ(
        launcher("tool", "pkg.cli:App.main [extra]", "/e"),
        "#!/e/bin/python\nimport sys\n\nfrom pkg.cli import App\n\n"
        "if __name__ == \"__main__\":\n    sys.exit(App.main())\n"
    );
}

TEST(Scripts, RefuseEntryPointsThatAreNone) {
    const auto refused = [](const char* name, const char* target) {
        try {
            static_cast<void>(launcher(name, target, "/e"));
            return false;
        } catch (const Error& error) {
            return error.id() == "bad-entry-point" && error.code() == ExitCode::refused;
        }
    };
    EXPECT_TRUE(refused("../../bin/sh", "a:b"));
    EXPECT_TRUE(refused("..", "a:b"));
    EXPECT_TRUE(refused("", "a:b"));
    EXPECT_TRUE(refused("x\ny", "a:b"));
    EXPECT_TRUE(refused("x", "a"));
    EXPECT_TRUE(refused("x", "a:"));
    EXPECT_TRUE(refused("x", "os;import evil:b"));
    EXPECT_TRUE(refused("x", "a:b()"));
    EXPECT_TRUE(refused("x", "a:b\nimport os"));
    EXPECT_TRUE(refused("x", "1a:b"));
}

}  // namespace
}  // namespace wheelforge::build
