// SPDX-License-Identifier: Apache-2.0
#include "base/catalogue.hpp"

#include <map>

#include "base/resources.hpp"
#include "base/yaml.hpp"

namespace wheelforge {

namespace {

using Catalogue = std::map<std::string, ErrorEntry, std::less<>>;

Catalogue load_catalogue() {
    const std::string path = "src/base/errors.yaml";
    Catalogue entries;
    const auto document = yaml::parse(resource(path).value_or(""), path);
    for (const auto& [id, node] : document.as_mapping()) {
        node.only_keys({"exit", "meaning", "advice"}, "an error");
        ErrorEntry entry;
        entry.id = id;
        if (const auto* exit = node.find("exit")) {
            entry.exit = static_cast<int>(exit->as_int());
        }
        if (const auto* meaning = node.find("meaning")) {
            entry.meaning = meaning->as_string();
        }
        if (const auto* advice = node.find("advice")) {
            entry.advice = advice->as_string();
        }
        entries.emplace(id, std::move(entry));
    }
    return entries;
}

const Catalogue& catalogue() {
    static const Catalogue entries = load_catalogue();
    return entries;
}

}  // namespace

std::optional<ErrorEntry> explain(std::string_view id) {
    const auto found = catalogue().find(id);
    return found == catalogue().end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> error_ids() {
    std::vector<std::string> ids;
    for (const auto& [id, entry] : catalogue()) {
        ids.push_back(id);
    }
    return ids;
}

}  // namespace wheelforge
