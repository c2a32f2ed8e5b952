// SPDX-License-Identifier: Apache-2.0
#include "engine/input_change.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::size_t longest_value = 60;

struct Line {
    std::string kind;
    std::string name;
    std::string value;
};

std::string first_word(const std::string& text) {
    return text.substr(0, text.find(' '));
}

std::string behind_first_word(const std::string& text) {
    const auto space = text.find(' ');
    return space == std::string::npos ? std::string() : text.substr(space + 1);
}

/// Settings and facts of the machine have one name for all ("setting line"); what they are about
/// is the beginning of their value.
Line parse_line(const std::string& text) {
    Line line;
    line.kind = first_word(text);
    const auto rest = behind_first_word(text);
    line.name = first_word(rest);
    line.value = behind_first_word(rest);
    if (line.kind == "setting" || line.kind == "host") {
        line.name = first_word(line.value);
        line.value = behind_first_word(line.value);
    }
    if (line.kind == "host" && line.name == "program") {
        line.name = first_word(line.value);
        line.value = behind_first_word(line.value);
    }
    return line;
}

using Values = std::set<std::string>;
using ByName = std::map<std::pair<std::string, std::string>, Values>;

ByName by_name(const std::vector<std::string>& lines) {
    ByName result;
    for (const auto& text : lines) {
        auto line = parse_line(text);
        if (line.kind != "plan") {
            result[{line.kind, line.name}].insert(line.value);
        }
    }
    return result;
}

bool is_digest(const std::string& value) {
    return value.size() == 64 && value.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string cut(const std::string& value) {
    return value.size() <= longest_value ? value : value.substr(0, longest_value) + "...";
}

std::string from_to(const std::string& what, const InputChange& change) {
    if (is_digest(change.before) && is_digest(change.after)) {
        return what + " changed";
    }
    if (change.before.empty()) {
        return what + " = " + cut(change.after) + " is new";
    }
    if (change.after.empty()) {
        return what + " is gone (it was " + cut(change.before) + ")";
    }
    return what + " " + cut(change.before) + " -> " + cut(change.after);
}

std::string environment_words(InputChange& change) {
    const auto old_version = first_word(change.before);
    const auto new_version = first_word(change.after);
    if (change.before.empty()) {
        return change.name + " " + new_version + " came into the build environment";
    }
    if (change.after.empty()) {
        return change.name + " " + old_version + " left the build environment";
    }
    change.rebuilt = old_version == new_version;
    return change.rebuilt ? change.name + " " + new_version + " was rebuilt"
                          : change.name + " " + old_version + " -> " + new_version;
}

std::string words_of(InputChange& change) {
    static const std::map<std::string, std::string> subjects = {
        {"name", "the version"},
        {"source", "the source"},
        {"interpreter", "the interpreter"},
        {"protocol", "the way wheelforge builds"},
    };
    if (change.kind == "environment") {
        return environment_words(change);
    }
    if (const auto subject = subjects.find(change.kind); subject != subjects.end()) {
        return from_to(subject->second, change);
    }
    if (change.kind.starts_with("build-requires")) {
        return from_to("build requirement", change);
    }
    if (change.kind == "variable" || change.kind == "passed") {
        return from_to(change.name, change);
    }
    if (change.kind == "host") {
        const bool is_fact = change.name == "os" || change.name == "libc";
        return from_to(
            is_fact || change.name == "sandbox" ? change.name : "program " + change.name, change
        );
    }
    return from_to(change.kind + " " + change.name, change);
}

std::string without_shared(const Values& values, const Values& others) {
    std::vector<std::string> own;
    std::set_difference(
        values.begin(), values.end(), others.begin(), others.end(), std::back_inserter(own)
    );
    return join(own, ", ");
}

/// A variable that settings set is an input as a setting and as what the build sees.
void tell_variables_once(std::vector<InputChange>& changes) {
    constexpr std::string_view prefix = "env.";
    std::set<std::string> variables;
    for (const auto& change : changes) {
        if (change.kind == "variable") {
            variables.insert(change.name);
        }
    }
    std::erase_if(changes, [&](const InputChange& change) {
        return change.kind == "setting" && change.name.starts_with(prefix)
               && variables.contains(change.name.substr(prefix.size()));
    });
}

}  // namespace

std::vector<InputChange> changes_between(
    const std::vector<std::string>& before,
    const std::vector<std::string>& after,
    const std::set<std::string>& matched
) {
    auto old_values = by_name(before);
    auto new_values = by_name(after);
    std::set<std::pair<std::string, std::string>> all;
    for (const auto* values : {&old_values, &new_values}) {
        for (const auto& [key, ignored] : *values) {
            all.insert(key);
        }
    }
    std::vector<InputChange> changes;
    for (const auto& key : all) {
        const auto& was = old_values[key];
        const auto& is = new_values[key];
        if (was == is) {
            continue;
        }
        InputChange change;
        std::tie(change.kind, change.name) = key;
        change.before = without_shared(was, is);
        change.after = without_shared(is, was);
        change.strong = change.kind != "environment" || matched.contains(change.name);
        change.words = words_of(change);
        changes.push_back(std::move(change));
    }
    tell_variables_once(changes);
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return a.strong > b.strong;
    });
    return changes;
}

std::string because(const std::vector<InputChange>& changes) {
    std::vector<std::string> reasons;
    const bool any_strong = std::any_of(changes.begin(), changes.end(), [](const auto& change) {
        return change.strong;
    });
    for (const auto& change : changes) {
        if (change.strong == any_strong) {
            reasons.push_back(printable(change.words));
        }
    }
    if (reasons.empty()) {
        return "";
    }
    const auto last = reasons.back();
    reasons.pop_back();
    return "rebuilt because " + join(reasons, ", ") + (reasons.empty() ? "" : ", and ") + last;
}

Json changes_json(const std::vector<InputChange>& changes) {
    Json array = Json::array();
    for (const auto& change : changes) {
        array.push_back(
            {{"strong", change.strong},
             {"kind", change.kind},
             {"name", change.name},
             {"before", text_or_null(change.before)},
             {"after", text_or_null(change.after)},
             {"words", change.words}}
        );
    }
    return array;
}

}  // namespace wheelforge::engine
