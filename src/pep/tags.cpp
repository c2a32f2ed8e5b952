// SPDX-License-Identifier: Apache-2.0
#include "pep/tags.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

// A compressed set multiplies out; no wheel comes near this, a hostile name would go far beyond.
constexpr std::size_t most_tags = 10'000;

/// Tags stand in file names and on terminals, so that nothing but ASCII words will do.
bool is_tag_character(char c) {
    return is_alphanumeric(c) || c == '_';
}

bool is_identifier(const std::string& text) {
    return !is_digit(text.front());
}

Parsed<std::vector<std::string>> members(std::string_view component, std::size_t offset) {
    std::vector<std::string> names;
    for (const std::string_view member : split(component, '.')) {
        if (member.empty()) {
            return parse_error("a part of this tag is empty", offset);
        }
        const auto bad = std::find_if_not(member.begin(), member.end(), is_tag_character);
        if (bad != member.end()) {
            return parse_error(
                "a tag has only ASCII letters, digits and '_'",
                offset + static_cast<std::size_t>(bad - member.begin())
            );
        }
        names.push_back(lower(member));
        offset += member.size() + 1;
    }
    return names;
}

}  // namespace

Parsed<std::vector<Tag>> parse_tag_set(std::string_view text) {
    const auto components = split(text, '-');
    if (components.size() != 3) {
        return parse_error("a tag has three parts: interpreter, ABI and platform");
    }
    std::vector<std::vector<std::string>> parts;
    std::size_t offset = 0;
    std::size_t count = 1;
    for (const std::string_view component : components) {
        auto names = members(component, offset);
        if (!names) {
            return tl::unexpected(std::move(names).error());
        }
        offset += component.size() + 1;
        count *= std::min(names->size(), most_tags + 1);
        parts.push_back(*std::move(names));
    }
    if (!std::all_of(parts[0].begin(), parts[0].end(), is_identifier)) {
        return parse_error("the interpreter of a tag is an identifier such as py3 or cp312");
    }
    if (count > most_tags) {
        return parse_error("this tag stands for too many tags");
    }
    std::vector<Tag> tags;
    for (const std::string& interpreter : parts[0]) {
        for (const std::string& abi : parts[1]) {
            for (const std::string& platform : parts[2]) {
                tags.push_back({interpreter, abi, platform});
            }
        }
    }
    return tags;
}

int Target::rank(const std::vector<Tag>& candidates) const {
    for (std::size_t i = 0; i < tags.size(); ++i) {
        if (std::find(candidates.begin(), candidates.end(), tags[i]) != candidates.end()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace wheelforge::pep
