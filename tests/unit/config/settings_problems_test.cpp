// SPDX-License-Identifier: Apache-2.0
// All that is wrong with a tree of settings, in one go.
#include "settings_fixture.hpp"

namespace wheelforge::config {
namespace {

class SettingsProblems : public SettingsFolder {
protected:
    static Texts problems(Texts variants = {}) {
        std::vector<Error> kept;
        (void)Settings::load(sources(std::move(variants)), kept);
        Texts out;
        for (const auto& error : kept) {
            out.push_back(error.id() + " " + error.message().substr(0, error.message().find(": ")));
        }
        return out;
    }
};

TEST_F(SettingsProblems, AreAllSaid) {
    here.write(
        "settings.yaml",
        "sbom: {}\ncoupling: []\npackages:\n  a b: {}\n  c:\n    envs: {}\n    build_dir: /x\n"
        "overrides: [x, {drop: y}]\n"
    );
    here.write(
        "settings/b.yaml", "annotations: {}\nvariants:\n  cpu: {pre_built: maybe, drop: 1}\n"
    );
    here.write("settings/c.yaml", "a: b: c\n");
    here.write("settings/d.yml", "");
    EXPECT_EQ(
        problems(),
        (Texts{
            "unsupported-key settings.yaml:1:1",
            "unknown-key settings.yaml:2:1",
            "bad-value settings.yaml:4:3",
            "unknown-key settings.yaml:6:5",
            "bad-value settings.yaml:7:16",
            "bad-value settings.yaml:8:13",
            "settings-file-name settings/d.yml",
            "unsupported-key settings/b.yaml:1:1",
            "bad-value settings/b.yaml:3:33",
            "bad-value settings/b.yaml:3:20",
            "bad-yaml settings/c.yaml:1:5",
        })
    );
}

TEST_F(SettingsProblems, LeaveTheRestReadable) {
    here.write("settings/a.yaml", "nonsense: 1\nenv: {X: 1}\n");
    std::vector<Error> kept;
    const auto settings = Settings::load(sources({}), kept);
    EXPECT_EQ(kept.size(), 1U);
    EXPECT_EQ(settings.package("a").env.size(), 1U);
}

}  // namespace
}  // namespace wheelforge::config
