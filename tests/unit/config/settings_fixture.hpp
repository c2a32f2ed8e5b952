// SPDX-License-Identifier: Apache-2.0
// Settings written in a folder of the test's own and loaded from there.
#pragma once

#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {

using Texts = std::vector<std::string>;

class SettingsFolder : public testing::Test {
protected:
    [[nodiscard]] static Settings::Sources sources(Texts variants) {
        Settings::Sources sources;
        if (fs::exists("settings.yaml")) {
            sources.file = "settings.yaml";
        }
        if (fs::exists("settings")) {
            sources.folder = "settings";
        }
        sources.patches = "patches";
        sources.variant_keys = std::move(variants);
        return sources;
    }
    [[nodiscard]] static Settings load(Texts variants = {}) {
        return Settings::load(sources(std::move(variants)));
    }
    /// Writes one file of a package and gives what it says.
    PackageSettings package(std::string_view content, Texts variants = {}) {
        here.write("settings/a.yaml", content);
        return load(std::move(variants)).package("a");
    }
    /// Writes one file of a package and gives the refusal.
    Error refusal(std::string_view content) {
        here.write("settings/a.yaml", content);
        return support::thrown_error([&] { (void)load(); });
    }
    static Texts texts(const std::vector<pep::Requirement>& requirements) {
        Texts out;
        for (const auto& requirement : requirements) {
            out.push_back(requirement.text());
        }
        return out;
    }
    support::WorkingDirectory here;
};

}  // namespace wheelforge::config
