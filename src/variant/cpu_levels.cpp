// SPDX-License-Identifier: Apache-2.0
#include "variant/cpu_levels.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/resources.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"
#include "variant/reading.hpp"

namespace wheelforge::variant {
namespace {

struct Level {
    std::string name;
    std::string above;
    std::vector<std::string> cpus;
    std::vector<std::string> options;
};

std::vector<Level> load() {
    constexpr std::string_view path = "src/variant/cpus.yaml";
    const auto root = yaml::parse(resource(path).value_or("[]"), std::string(path));
    std::vector<Level> levels;
    for (const auto& node : root.as_sequence()) {
        node.only_keys({"level", "above", "cpus", "options"}, "a level of CPUs");
        levels.push_back(
            {text_at(node, "level"),
             text_at(node, "above"),
             texts_at(node, "cpus"),
             texts_at(node, "options")}
        );
    }
    return levels;
}

const std::vector<Level>& levels() {
    static const auto loaded = load();
    return loaded;
}

const Level* level_named(std::string_view name) {
    const auto found = std::find_if(levels().begin(), levels().end(), [&](const Level& level) {
        return level.name == name;
    });
    return found == levels().end() ? nullptr : &*found;
}

const Level* level_of_cpu(std::string_view cpu) {
    const auto found = std::find_if(levels().begin(), levels().end(), [&](const Level& level) {
        return level.name == cpu
               || std::find(level.cpus.begin(), level.cpus.end(), cpu) != level.cpus.end();
    });
    return found == levels().end() ? nullptr : &*found;
}

bool is_option_of(const Level& level, std::string_view option) {
    return std::any_of(level.options.begin(), level.options.end(), [&](std::string_view each) {
        return each.ends_with('*') ? option.starts_with(each.substr(0, each.size() - 1))
                                   : option == each;
    });
}

/// Whether `wanted` is `has`, or one that it builds on.
bool has_all_of(const Level& has, const Level& wanted) {
    for (const auto* level = &has; level != nullptr; level = level_named(level->above)) {
        if (level == &wanted) {
            return true;
        }
    }
    return false;
}

/// The CPU that an option names; "" if it names none.
std::string_view cpu_in(std::string_view option) {
    // -mtune alone changes no instruction.
    constexpr std::array<std::string_view, 4> names = {
        "-march=", "-mcpu=", "-Ctarget-cpu=", "target-cpu="
    };
    for (const auto name : names) {
        if (option.starts_with(name)) {
            const auto cpu = option.substr(name.size());
            return cpu.substr(0, cpu.find('+'));
        }
    }
    return {};
}

std::string_view without_quotes(std::string_view word) {
    while (!word.empty() && (word.front() == '"' || word.front() == '\'')) {
        word.remove_prefix(1);
    }
    while (!word.empty() && (word.back() == '"' || word.back() == '\'')) {
        word.remove_suffix(1);
    }
    return word;
}

}  // namespace

std::vector<std::string> known_cpus() {
    std::vector<std::string> names;
    for (const auto& level : levels()) {
        names.push_back(level.name);
        names.insert(names.end(), level.cpus.begin(), level.cpus.end());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::optional<std::string> option_beyond(std::string_view options, const std::string& target) {
    const auto* has = level_of_cpu(target);
    for (const auto quoted : split(options, ' ')) {
        const auto option = without_quotes(quoted);
        const auto cpu = cpu_in(option);
        if (cpu == "native") {
            return fmt::format("{}: for whatever the building machine has", option);
        }
        for (const auto& level : levels()) {
            const bool is_its =
                (!cpu.empty() && level_of_cpu(cpu) == &level) || is_option_of(level, option);
            if (is_its && has != nullptr && !has_all_of(*has, level)) {
                return fmt::format("{}: for {}", option, level.name);
            }
        }
    }
    return std::nullopt;
}

}  // namespace wheelforge::variant
