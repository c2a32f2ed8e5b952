// SPDX-License-Identifier: Apache-2.0
// What settings files may not say.
#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {
namespace {

using support::thrown_error;

class SettingsKeys : public testing::Test {
protected:
    /// Loads one file of a package and returns the refusal.
    Error package_refusal(std::string_view content) {
        here.write("settings/a.yaml", content);
        return folder_refusal();
    }
    static Error folder_refusal() {
        Settings::Sources sources;
        sources.folder = "settings";
        return thrown_error([&] { (void)Settings::load(sources); });
    }
    Error global_refusal(std::string_view content) {
        here.write("settings.yaml", content);
        Settings::Sources sources;
        sources.file = "settings.yaml";
        return thrown_error([&] { (void)Settings::load(sources); });
    }
    support::WorkingDirectory here;
};

TEST_F(SettingsKeys, OfFromagerThatAreMissingHereSayThat) {
    for (const std::string key : {"annotations", "git_options", "purl", "source"}) {
        const auto error = package_refusal("env: {}\n" + key + ":\n");
        EXPECT_EQ(error.id(), "unsupported-key") << key;
        EXPECT_EQ(error.code(), ExitCode::usage);
        EXPECT_EQ(
            error.message(),
            "settings/a.yaml:2:1: '" + key + "' is a key of Fromager that is not supported yet"
        );
    }
    EXPECT_EQ(package_refusal("variants: {v: {annotations: {}}}").id(), "unsupported-key");
}

TEST_F(SettingsKeys, OfFromagersGlobalFileSayThatToo) {
    for (const std::string key : {"sbom", "wheels", "external_commands", "pre_built"}) {
        const auto error = global_refusal(key + ": {}\n");
        EXPECT_EQ(error.id(), "unsupported-key") << key;
        EXPECT_NE(error.message().find("settings.yaml:1:1: '" + key), std::string::npos);
    }
}

TEST_F(SettingsKeys, ThatAreMisspeltSayWhatIsNear) {
    const auto error = package_refusal("env: {}\nconfig_setting: {}\n");
    EXPECT_EQ(error.id(), "unknown-key");
    EXPECT_EQ(
        error.message(), "settings/a.yaml:2:1: unknown key 'config_setting' in package settings"
    );
    EXPECT_EQ(error.advice().at(0), "did you mean config_settings");
    EXPECT_EQ(global_refusal("package: {}").advice().at(0), "did you mean packages");
    EXPECT_EQ(
        package_refusal("variants: {cpu: {prebuilt: true}}").advice().at(0),
        "did you mean pre_built"
    );
    EXPECT_EQ(global_refusal("packages: {a: {envs: {}}}").advice().at(0), "did you mean env");
}

TEST_F(SettingsKeys, OfAPluginAreNoKeysOfTheUser) {
    EXPECT_EQ(package_refusal("system_tool: {}").id(), "unknown-key");
    EXPECT_EQ(package_refusal("because: x").id(), "unknown-key");
}

TEST_F(SettingsKeys, ThatBelongToAVariantSayWhere) {
    for (const std::string line : {"pre_built: true", "wheel_server_url: https://host/"}) {
        const auto error = package_refusal(line);
        EXPECT_EQ(error.id(), "unknown-key");
        EXPECT_NE(error.advice().at(0).find("variants"), std::string::npos) << error.advice()[0];
    }
}

TEST_F(SettingsKeys, AreCheckedForVariantsNobodyBuilds) {
    EXPECT_EQ(package_refusal("variants: {unused: {enw: {}}}").id(), "unknown-key");
    EXPECT_EQ(package_refusal("variants: {unused: {pre_built: yes}}").id(), "bad-value");
}

TEST_F(SettingsKeys, NeedValuesOfTheirKind) {
    for (const auto* content :
         {"[a]",
          "text",
          "env: [A]",
          "env: {A: [1]}",
          "env: {A: }",
          "env: {A: $(id)}",
          "env: {A B: 1}",
          "env: {A: yes}",
          "config_settings: [a]",
          "config_settings: {a: {b: c}}",
          "config_settings: {a: [[b]]}",
          "config_settings: {a: }",
          "variants: [cpu]",
          "variants: {cpu: [a]}",
          "variants: {cpu: {pre_built: 1}}",
          "builder: uv",
          "builder: [pip]",
          "variants: {cpu: {wheel_server_url: ftp://host/}}",
          "variants: {cpu: {wheel_server_url: \"https://\"}}",
          "variants: {cpu: {wheel_server_url: \"javascript:x\"}}"}) {
        EXPECT_EQ(package_refusal(content).id(), "bad-value") << content;
    }
}

TEST_F(SettingsKeys, KeepTheBuildFolderInsideTheSource) {
    for (const auto* folder : {"/abs", "..", "../x", "a/../../x", "''"}) {
        const auto error = package_refusal(std::string("build_dir: ") + folder);
        EXPECT_EQ(error.id(), "bad-value") << folder;
        EXPECT_EQ(error.message().substr(0, 17), "settings/a.yaml:1") << error.message();
    }
    here.write("settings/a.yaml", "build_dir: a/../b\n");
    Settings::Sources sources;
    sources.folder = "settings";
    EXPECT_EQ(Settings::load(sources).package("a").build_dir->value, "b");
}

TEST_F(SettingsKeys, AreRefusedInHostileYaml) {
    EXPECT_EQ(package_refusal("env: &a {A: 1}").id(), "bad-yaml");
    EXPECT_EQ(package_refusal("env: {A: 1, A: 2}").id(), "bad-yaml");
    EXPECT_EQ(package_refusal("env: {A: !!int 1}").id(), "bad-yaml");
}

TEST_F(SettingsKeys, NameEachPackageOnce) {
    here.write("settings/foo_bar.yaml", "");
    here.write("settings/foo-bar.yaml", "");
    const auto error = folder_refusal();
    EXPECT_EQ(error.id(), "settings-file-name");
    EXPECT_EQ(error.advice().at(0), "keep foo_bar.yaml");
    EXPECT_EQ(global_refusal("packages: {foo-bar: {}, Foo_Bar: {}}").id(), "bad-value");
}

TEST_F(SettingsKeys, NeedFilesThatAreRead) {
    here.write("settings/a.yml", "");
    EXPECT_EQ(folder_refusal().id(), "settings-file-name");
    fs::remove("settings/a.yml");
    here.write("settings/-a.yaml", "");
    EXPECT_EQ(folder_refusal().id(), "bad-value");
    EXPECT_EQ(global_refusal("packages: {'../x': {}}").id(), "bad-value");
}

TEST_F(SettingsKeys, NeedFilesThatAreThere) {
    Settings::Sources sources;
    sources.folder = "none";
    EXPECT_EQ(thrown_error([&] { (void)Settings::load(sources); }).id(), "file-not-found");
    sources = {};
    sources.file = "none.yaml";
    EXPECT_EQ(thrown_error([&] { (void)Settings::load(sources); }).id(), "file-not-found");
}

}  // namespace
}  // namespace wheelforge::config
