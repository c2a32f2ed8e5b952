// SPDX-License-Identifier: Apache-2.0
#include "engine/variable_readers.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <vector>

#include "base/resources.hpp"
#include "base/yaml.hpp"

namespace wheelforge::engine {
namespace {

struct ReaderRule {
    std::string by;
    std::vector<std::string> requirements;  ///< one of them; empty: always there
    std::vector<std::string> names;
};

std::vector<ReaderRule> load() {
    constexpr std::string_view path = "src/engine/variable_readers.yaml";
    std::vector<ReaderRule> readers;
    const yaml::Node root = yaml::parse(resource(path).value_or("[]"), std::string(path));
    for (const yaml::Node& node : root.as_sequence()) {
        node.only_keys({"by", "source", "requires", "names"}, "a reader of variables");
        ReaderRule reader;
        reader.by = node.find("by")->as_string();
        reader.names = node.find("names")->as_strings();
        if (const yaml::Node* requirements = node.find("requires")) {
            reader.requirements = requirements->as_strings();
        }
        readers.push_back(std::move(reader));
    }
    return readers;
}

}  // namespace

std::string reader_of(const std::string& variable, const std::set<std::string>& requirements) {
    static const std::vector<ReaderRule> readers = load();
    const auto found = std::find_if(readers.begin(), readers.end(), [&](const ReaderRule& reader) {
        const auto there = [&](const std::string& name) { return requirements.contains(name); };
        const auto matches = [&](const std::string& pattern) {
            return ::fnmatch(pattern.c_str(), variable.c_str(), 0) == 0;
        };
        const bool in_build =
            reader.requirements.empty()
            || std::any_of(reader.requirements.begin(), reader.requirements.end(), there);
        return in_build && std::any_of(reader.names.begin(), reader.names.end(), matches);
    });
    return found == readers.end() ? "" : found->by;
}

}  // namespace wheelforge::engine
