// SPDX-License-Identifier: Apache-2.0
// Our reading of pip's configuration against a real Python, and pip's own where there is one.
#include <gtest/gtest.h>

#include "base/http.hpp"
#include "index/default_index.hpp"
#include "index/pip_config.hpp"
#include "support/fixture_index.hpp"

namespace wheelforge::index {
namespace {

using support::FixtureIndex;

class Pip : public testing::Test {
protected:
    TempDir home{testing::TempDir(), "pip-"};
    Environment env = current_environment();
    std::optional<fs::path> python = FixtureIndex::python();

    void SetUp() override {
        if (!python) {
            GTEST_SKIP() << "no python3";
        }
        std::erase_if(env, [](const auto& variable) { return variable.first.starts_with("PIP_"); });
        env["HOME"] = home.path().string();
    }
    std::string ask_python(const std::vector<std::string>& arguments) {
        Launch launch;
        launch.argv = {python->string()};
        launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
        launch.env = env;
        launch.cwd = "/";
        const auto result = run(launch);
        return result.exit_code == 0 ? std::string(trim(result.out)) : "";
    }
};

TEST_F(Pip, DefaultIndexIsAUrlOfTheInterpretersPip) {
    const auto answer = ask_interpreter(*python, env);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->prefix, ask_python({"-I", "-c", "import sys; print(sys.prefix)"}));
    if (answer->default_index.empty()) {
        GTEST_SKIP() << "this python3 has no pip, nor one bundled";
    }
    EXPECT_TRUE(origin_of(answer->default_index)) << answer->default_index;
}

TEST_F(Pip, SiteConfigurationOfAVirtualEnvironmentCounts) {
    if (ask_python({"-m", "venv", "--without-pip", (home.path() / "venv").string()}).empty()
        && !fs::exists(home.path() / "venv/bin/python3")) {
        GTEST_SKIP() << "this python3 makes no virtual environments";
    }
    write_file(
        home.path() / "venv/pip.conf", "[global]\nindex-url = https://site.example/simple\n"
    );
    write_file(
        home.path() / ".config/pip/pip.conf", "[global]\nindex-url = https://user.example/\n"
    );
    PipConfigInput input;
    input.env = env;
    input.interpreter = home.path() / "venv/bin/python3";
    EXPECT_EQ(pip_index_settings(input).index_urls.front(), "https://site.example/simple");
}

TEST_F(Pip, ReadsTheSameValuesAsPipItself) {
    write_file(
        home.path() / ".config/pip/pip.conf",
        "[global]\nproxy = user\nextra-index-url =\n    https://a.example/\n    # no\n    "
        "https://b.example/\n"
        "[install]\nretries: 3\n"
    );
    env["PIP_TRUSTED_HOST"] = "one two";
    const auto told = ask_python({"-m", "pip", "config", "list"});
    if (told.empty()) {
        GTEST_SKIP() << "this python3 has no pip";
    }
    PipConfigInput input;
    input.env = env;
    input.index_urls = {"https://main.example/"};
    const auto settings = pip_index_settings(input);
    EXPECT_NE(told.find("global.proxy='" + settings.http.proxy + "'"), std::string::npos) << told;
    EXPECT_NE(
        told.find("install.retries='" + std::to_string(settings.http.retries) + "'"),
        std::string::npos
    );
    ASSERT_EQ(settings.index_urls.size(), 3U);
    EXPECT_NE(
        told.find(
            "global.extra-index-url='\\n" + settings.index_urls[1] + "\\n" + settings.index_urls[2]
            + "'"
        ),
        std::string::npos
    ) << told;
    EXPECT_EQ(settings.http.trusted_hosts, (std::vector<std::string>{"one", "two"}));
}

TEST_F(Pip, ProgramThatIsNoPythonHasNoAnswer) {
    EXPECT_FALSE(ask_interpreter("/bin/false", env));
    EXPECT_FALSE(ask_interpreter(home.path() / "nothing", env));
}

}  // namespace
}  // namespace wheelforge::index
