// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/plugin_expectations.hpp"

#include <filesystem>

#include "base/resources.hpp"
#include "pep/name.hpp"

namespace wheelforge::wheel {
namespace {

std::map<std::string, PackageExpectation> load() {
    std::map<std::string, PackageExpectation> expectations;
    for (const auto path : resources_below("plugins/")) {
        if (!path.ends_with("/plugin.yaml")) {
            continue;
        }
        const std::string file(path);
        const auto plugin = yaml::parse(resource(path).value(), file);
        if (const auto* expect = plugin.find("expect")) {
            expect->only_keys(expectation_keys(), "expect");
            const auto folder = std::filesystem::path(file).parent_path().filename().string();
            expectations.emplace(pep::normalize_name(folder), read_expectation(*expect));
        }
    }
    return expectations;
}

}  // namespace

const std::map<std::string, PackageExpectation>& plugin_expectations() {
    static const auto loaded = load();
    return loaded;
}

}  // namespace wheelforge::wheel
