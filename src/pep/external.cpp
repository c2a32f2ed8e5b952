// SPDX-License-Identifier: Apache-2.0
#include "pep/external.hpp"

#include <algorithm>

#include <toml++/toml.h>

#include "base/text.hpp"
#include "pep/toml_depth.hpp"

namespace wheelforge::pep {
namespace {

constexpr std::size_t most_requirements = 1000;

/// "virtual/compiler/c" of "dep:virtual/compiler/c@>=12?os=linux; marker"; "" for anything else.
std::string name_of(std::string_view text) {
    const auto colon = text.find(':');
    const auto scheme = text.substr(0, std::min(colon, text.size()));
    if (colon == std::string_view::npos || (scheme != "dep" && scheme != "pkg")) {
        return {};
    }
    const auto rest = text.substr(colon + 1);
    const auto name = trim(rest.substr(0, rest.find_first_of("@?#; ")));
    return name.find('/') == std::string_view::npos ? std::string() : to_lower(name);
}

Parsed<std::vector<ExternalRequirement>> read(const toml::table& external) {
    std::vector<ExternalRequirement> found;
    for (const char* key : {"build-requires", "host-requires"}) {
        const auto* node = external.get(key);
        if (node == nullptr) {
            continue;
        }
        const auto* list = node->as_array();
        if (list == nullptr || list->size() > most_requirements) {
            return parse_error(std::string("external.") + key + " is no list of requirements");
        }
        for (const auto& item : *list) {
            const auto* text = item.as_string();
            auto name = text == nullptr ? std::string() : name_of(text->get());
            if (name.empty()) {
                return parse_error(
                    std::string("external.") + key + " holds what is no dep: or pkg: URL"
                );
            }
            found.push_back({text->get(), std::move(name)});
        }
    }
    return found;
}

}  // namespace

Parsed<std::vector<ExternalRequirement>> parse_external_build_requirements(std::string_view toml) {
    if (const auto offset = find_overlong_toml_key(toml)) {
        return parse_error("a dotted key has too many parts", *offset);
    }
    try {
        const auto root = toml::parse(toml);
        const auto* node = root.get("external");
        if (node == nullptr) {
            return std::vector<ExternalRequirement>();
        }
        const auto* external = node->as_table();
        if (external == nullptr) {
            return parse_error("external is no table");
        }
        return read(*external);
    } catch (const toml::parse_error& error) {
        return parse_error(printable(error.description()));
    }
}

}  // namespace wheelforge::pep
