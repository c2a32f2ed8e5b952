// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/catalogue.hpp"

namespace wheelforge::wheel {

void FindingSink::add(Finding finding) {
    if (const LevelOverride* override = policy_.level(package_, finding.id)) {
        finding.level = override->level;
    }
    if (finding.level != Level::off) {
        findings_.push_back(std::move(finding));
    }
}

void FindingSink::add(
    std::string_view id, std::string file, std::string evidence, std::string advice
) {
    add_at(default_level(id), id, std::move(file), std::move(evidence), std::move(advice));
}

void FindingSink::add_at(
    Level level, std::string_view id, std::string file, std::string evidence, std::string advice
) {
    add({std::string(id), level, printable(file), std::move(evidence), std::move(advice)});
}

namespace {

/// Mangled names of templates can fill a screen each.
std::string shortened(const std::string& name) {
    constexpr std::size_t longest = 100;
    return name.size() <= longest ? printable(name) : printable(name.substr(0, longest)) + "...";
}

}  // namespace

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
        text += (i == 0 ? "" : ", ") + shortened(names[i]);
    }
    return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

}  // namespace wheelforge::wheel
