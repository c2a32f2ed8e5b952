// SPDX-License-Identifier: Apache-2.0
// What settings say and which of several counts; keys that are refused: settings_key_test.cpp.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {
namespace {

using Texts = std::vector<std::string>;

class SettingsTest : public testing::Test {
protected:
    [[nodiscard]] Settings load(Texts variants = {}) const {
        Settings::Sources sources;
        if (fs::exists("settings.yaml")) {
            sources.file = "settings.yaml";
        }
        if (fs::exists("settings")) {
            sources.folder = "settings";
        }
        sources.variant_keys = std::move(variants);
        return Settings::load(sources);
    }
    static Texts env(const PackageSettings& settings) {
        Texts out;
        for (const auto& variable : settings.env) {
            out.push_back(variable.origin + " " + variable.name + "=" + variable.value);
        }
        return out;
    }
    support::WorkingDirectory here;
};

TEST_F(SettingsTest, PackageNobodyMentionsHasDefaults) {
    const auto settings = load().package("Some_Thing");
    EXPECT_EQ(settings.name, "some-thing");
    EXPECT_TRUE(settings.env.empty());
    EXPECT_FALSE(settings.pre_built);
    EXPECT_EQ(settings.builder.value, Builder::pep517);
    EXPECT_EQ(settings.builder.origin, "default");
    EXPECT_EQ(settings.inputs(), Texts{"builder \"pep517\""});
}

TEST_F(SettingsTest, ReadsAllThatAFileMaySay) {
    here.write(
        "settings/my_package.yaml",
        "build_dir: ./python/\n"
        "builder: pip\n"
        "config_settings:\n  setup-args: [-Da=1, -Db=2]\n  one: 1.10\n"
        "env:\n  B: \" x \"\n  A: 12\n  T: true\n"
        "variants:\n  rocm:\n    pre_built: true\n"
        "    wheel_server_url: https://host/simple\n    env: {R: 1}\n"
    );
    const auto settings = load({"rocm"}).package("my.Package");
    EXPECT_EQ(settings.build_dir->value, "python");
    EXPECT_EQ(settings.build_dir->origin, "settings/my_package.yaml:1");
    EXPECT_EQ(settings.builder.value, Builder::pip);
    EXPECT_EQ(settings.config_settings.at("setup-args"), (Texts{"-Da=1", "-Db=2"}));
    EXPECT_EQ(settings.config_settings.at("one"), Texts{"1.10"});
    EXPECT_TRUE(settings.pre_built->value);
    EXPECT_EQ(settings.pre_built->origin, "settings/my_package.yaml:12");
    EXPECT_EQ(settings.wheel_server_url->value, "https://host/simple");
    EXPECT_EQ(
        env(settings),
        (Texts{
            "settings/my_package.yaml:7 B=x",
            "settings/my_package.yaml:8 A=12",
            "settings/my_package.yaml:9 T=1",
            "settings/my_package.yaml:14 R=1",
        })
    );
}

TEST_F(SettingsTest, VariantThatIsNotBuiltSaysNothing) {
    here.write("settings/a.yaml", "variants:\n  rocm: {pre_built: true, env: {R: 1}}\n");
    EXPECT_FALSE(load({"cpu"}).package("a").pre_built);
    EXPECT_TRUE(load({"cpu"}).package("a").env.empty());
}

TEST_F(SettingsTest, MoreSpecialVariantWins) {
    here.write(
        "settings/a.yaml",
        "env: {X: package}\n"
        "variants:\n  rocm7: {env: {X: special}, pre_built: false}\n"
        "  rocm: {env: {X: general}, pre_built: true}\n"
    );
    const auto settings = load({"base", "rocm", "rocm7"}).package("a");
    EXPECT_EQ(
        env(settings),
        (Texts{
            "settings/a.yaml:1 X=package",
            "settings/a.yaml:4 X=general",
            "settings/a.yaml:3 X=special"
        })
    );
    EXPECT_FALSE(settings.pre_built->value);
}

TEST_F(SettingsTest, FolderWinsOverFileAndFileOverPlugin) {
    here.write(
        "settings.yaml",
        "packages:\n  Cython:\n    env: {NO_CYTHON_COMPILE: 0, F: 1}\n"
        "    config_settings: {a: file, b: file}\n    builder: pip\n"
        "    variants: {cpu: {wheel_server_url: https://file/}}\n"
    );
    here.write(
        "settings/cython.yaml",
        "env: {NO_CYTHON_COMPILE: folder}\nconfig_settings: {a: folder}\n"
        "variants: {cpu: {wheel_server_url: https://folder/}}\n"
    );
    const auto settings = load({"cpu"}).package("cython");
    ASSERT_EQ(settings.env.size(), 4U);
    EXPECT_EQ(settings.env[0].value, "true");
    EXPECT_TRUE(settings.env[0].origin.starts_with("plugins/cython/plugin.yaml:"));
    EXPECT_EQ(settings.env[1].value, "0");
    EXPECT_EQ(settings.env[1].origin, "settings.yaml:3");
    EXPECT_EQ(settings.env[3].value, "folder");
    EXPECT_EQ(settings.config_settings.at("a"), Texts{"folder"});
    EXPECT_EQ(settings.config_settings.at("b"), Texts{"file"});
    EXPECT_EQ(settings.builder.value, Builder::pip);
    EXPECT_EQ(settings.wheel_server_url->value, "https://folder/");
}

TEST_F(SettingsTest, VariantOfTheFileWinsOverThePackageOfTheFolder) {
    here.write("settings.yaml", "packages: {a: {variants: {cpu: {env: {X: variant}}}}}\n");
    here.write("settings/a.yaml", "env: {X: package}\n");
    EXPECT_EQ(
        env(load({"cpu"}).package("a")),
        (Texts{"settings/a.yaml:1 X=package", "settings.yaml:1 X=variant"})
    );
}

TEST_F(SettingsTest, NullAndEmptyFilesSayNothing) {
    here.write("settings.yaml", "");
    here.write("settings/a.yaml", "");
    here.write("settings/b.yaml", "variants:\n");
    here.write(
        "settings/c.yaml",
        "env:\nbuild_dir: null\nconfig_settings: ~\nbuilder:\n"
        "variants:\n  cpu:\n  rocm: {env: null, pre_built: null, wheel_server_url: null}\n"
    );
    const auto settings = load({"cpu", "rocm"});
    for (const auto* name : {"a", "b", "c"}) {
        EXPECT_EQ(settings.package(name).inputs(), Texts{"builder \"pep517\""}) << name;
        EXPECT_FALSE(settings.package(name).pre_built);
    }
}

TEST_F(SettingsTest, PreBuiltOfTheCommandLineIsTheLastWord) {
    here.write("settings/a.yaml", "variants: {cpu: {pre_built: false}}\n");
    Settings::Sources sources;
    sources.folder = "settings";
    sources.variant_keys = {"cpu"};
    sources.pre_built = {"A", "new_one"};
    const auto settings = Settings::load(sources);
    EXPECT_TRUE(settings.package("a").pre_built->value);
    EXPECT_EQ(settings.package("a").pre_built->origin, "--pre-built");
    EXPECT_TRUE(settings.package("new-one").pre_built->value);
    EXPECT_EQ(settings.package("new-one").name, "new-one");
    sources.pre_built = {"../x"};
    EXPECT_EQ(support::thrown_error([&] { (void)Settings::load(sources); }).id(), "bad-value");
}

TEST_F(SettingsTest, OtherFilesInTheFolderAreLeftAlone) {
    here.write("settings/README.md", "# {not yaml");
    here.write("settings/.a.yaml", "{not yaml");
    here.write("settings/sub/b.yaml", "{not yaml");
    EXPECT_TRUE(load().package("a").env.empty());
}

TEST_F(SettingsTest, InputsAreSortedLinesThatDoNotRunTogether) {
    here.write(
        "settings/a.yaml",
        "build_dir: x\nenv: {B: \"1\\nbuilder \\\"pip\\\"\", A: 2}\n"
        "config_settings: {k: [v, w]}\n"
        "variants: {cpu: {pre_built: false, env: {B: again}}}\n"
    );
    const auto lines = load({"cpu"}).package("a").inputs();
    EXPECT_EQ(
        lines,
        (Texts{
            "build_dir \"x\"",
            "builder \"pep517\"",
            "config_settings.\"k\".0 \"v\"",
            "config_settings.\"k\".1 \"w\"",
            "env.A \"2\"",
            "env.B \"1\\nbuilder \\\"pip\\\"\"",
            "env.B#2 \"again\"",
        })
    );
}

TEST_F(SettingsTest, InputsKnowTheOrderWhereItMatters) {
    here.write("settings/a.yaml", "env: {A: \"${B:-d}\", B: 1}\n");
    here.write("settings/b.yaml", "env: {B: 1, A: \"${B:-d}\"}\n");
    here.write("settings/c.yaml", "env: {A: 1, B: 2}\n");
    here.write("settings/d.yaml", "env: {B: 2, A: 1}\n");
    const auto settings = load();
    EXPECT_NE(settings.package("a").inputs(), settings.package("b").inputs());
    EXPECT_EQ(settings.package("c").inputs(), settings.package("d").inputs());
}

TEST_F(SettingsTest, CythonIsNotCompiled) {
    const auto settings = load().package("Cython");
    ASSERT_EQ(settings.env.size(), 1U);
    EXPECT_EQ(settings.env[0].name, "NO_CYTHON_COMPILE");
    EXPECT_EQ(settings.env[0].value, "true");  // the word: Cython's setup.py takes nothing else
}

TEST_F(SettingsTest, SystemToolsReadTheVersionsOfRealPrograms) {
    const std::map<std::string, std::string> outputs{
        {"cmake", "cmake version 3.25.1\n\nCMake suite maintained and supported by Kitware\n"},
        {"ninja", "1.11.1\n"},
        {"patchelf", "patchelf 0.14.3\n"},
    };
    const std::map<std::string, std::string> versions{
        {"cmake", "3.25.1"}, {"ninja", "1.11.1"}, {"patchelf", "0.14.3"}
    };
    const auto settings = load();
    ASSERT_EQ(settings.system_tools().size(), 3U);
    for (const auto& tool : settings.system_tools()) {
        EXPECT_EQ(tool.program, tool.requirement);
        ASSERT_FALSE(tool.version_command.empty());
        EXPECT_EQ(tool.version_command[0], tool.program);
        EXPECT_EQ(tool.origin.substr(0, 8), "plugins/");
        std::smatch match;
        const auto& output = outputs.at(tool.requirement);
        ASSERT_TRUE(std::regex_search(output, match, std::regex(tool.version_pattern)));
        EXPECT_EQ(match[1].str(), versions.at(tool.requirement));
    }
}

}  // namespace
}  // namespace wheelforge::config
