// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/catalogue.hpp"

#include <map>

#include <fmt/format.h>

#include "base/resources.hpp"
#include "base/yaml.hpp"

namespace wheelforge::wheel {

namespace {

struct Entry {
    Level level = Level::error;
    std::string meaning;
    std::string advice;
};

using Catalogue = std::map<std::string, Entry, std::less<>>;

Catalogue load() {
    constexpr std::string_view path = "src/wheel/checks.yaml";
    Catalogue catalogue;
    const yaml::Node root = yaml::parse(resource(path).value_or(""), std::string(path));
    for (const auto& [id, node] : root.as_mapping()) {
        node.only_keys({"level", "meaning", "advice"}, "a check");
        Entry entry;
        entry.level = parse_level(node.find("level")->as_string()).value_or(Level::error);
        entry.meaning = node.find("meaning")->as_string();
        if (const yaml::Node* advice = node.find("advice")) {
            entry.advice = advice->as_string();
        }
        catalogue.emplace(id, std::move(entry));
    }
    return catalogue;
}

const Catalogue& catalogue() {
    static const Catalogue loaded = load();
    return loaded;
}

}  // namespace

std::optional<Level> parse_level(std::string_view text) noexcept {
    for (const Level level : {Level::off, Level::info, Level::warn, Level::error}) {
        if (level_name(level) == text) {
            return level;
        }
    }
    return std::nullopt;
}

Level default_level(std::string_view id) {
    const auto found = catalogue().find(id);
    return found == catalogue().end() ? Level::error : found->second.level;
}

bool is_check(std::string_view id) {
    return catalogue().contains(id);
}

std::optional<std::string> explain_check(std::string_view id) {
    const auto found = catalogue().find(id);
    if (found == catalogue().end()) {
        return std::nullopt;
    }
    const Entry& entry = found->second;
    std::string text =
        fmt::format("{} (check, level {})\n\n{}\n", id, level_name(entry.level), entry.meaning);
    if (!entry.advice.empty()) {
        text += fmt::format("\nWhat to do: {}\n", entry.advice);
    }
    return text;
}

std::vector<std::string> check_ids() {
    std::vector<std::string> ids;
    for (const auto& [id, entry] : catalogue()) {
        ids.push_back(id);
    }
    return ids;
}

}  // namespace wheelforge::wheel
