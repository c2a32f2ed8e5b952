// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>

#include "pep/characters.hpp"
#include "pep/specifier.hpp"

namespace wheelforge::pep {

namespace {

/// Sorted by text, then each specifier once: of equal ones the first spelling stays.
std::vector<Specifier> canonical(std::vector<Specifier> specifiers) {
    std::sort(specifiers.begin(), specifiers.end(), [](const auto& a, const auto& b) {
        return a.text() < b.text();
    });
    std::unordered_set<std::string> seen;
    std::vector<Specifier> unique;
    for (Specifier& specifier : specifiers) {
        if (seen.insert(specifier.canonical_text()).second) {
            unique.push_back(std::move(specifier));
        }
    }
    return unique;
}

bool is_prerelease(const Version& version) {
    return version.is_prerelease();
}

/// A text that is no version counts neither as a pre-release nor as a final release.
bool is_prerelease(const WrittenVersion& written) {
    return written.version && written.version->is_prerelease();
}

bool is_final(const Version& version) {
    return !version.is_prerelease();
}

bool is_final(const WrittenVersion& written) {
    return written.version && !written.version->is_prerelease();
}

/// Positions of those that match and stay: pre-releases only where they are allowed, or where
/// nobody said anything and there is nothing else.
template <typename Item, typename Matches>
std::vector<std::size_t>
kept(const std::vector<Item>& versions, Matches&& matches, std::optional<bool> prereleases) {
    std::vector<std::size_t> positions;
    bool any_final = false;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (matches(versions[i])) {
            positions.push_back(i);
            any_final = any_final || is_final(versions[i]);
        }
    }
    if (!prereleases.value_or(!any_final)) {
        std::erase_if(positions, [&](std::size_t i) { return is_prerelease(versions[i]); });
    }
    return positions;
}

}  // namespace

Parsed<SpecifierSet> SpecifierSet::parse(std::string_view text) {
    SpecifierSet set;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view part = text.substr(at, comma - at);
        if (skip_spaces(part, 0) != part.size()) {
            auto specifier = Specifier::parse(part);
            if (!specifier) {
                return parse_error(specifier.error().message, at + specifier.error().offset);
            }
            set.specifiers_.push_back(*std::move(specifier));
        }
        at = comma + 1;
    }
    return set;
}

std::string SpecifierSet::text() const {
    std::string text;
    for (const Specifier& specifier : canonical(specifiers_)) {
        text += (text.empty() ? "" : ",") + specifier.text();
    }
    return text;
}

bool SpecifierSet::contains(const Version& version) const {
    return std::all_of(specifiers_.begin(), specifiers_.end(), [&](const Specifier& specifier) {
        return specifier.contains(version);
    });
}

bool SpecifierSet::contains(const WrittenVersion& version) const {
    return std::all_of(specifiers_.begin(), specifiers_.end(), [&](const Specifier& specifier) {
        return specifier.contains(version);
    });
}

bool SpecifierSet::opts_into_prereleases() const {
    return std::any_of(specifiers_.begin(), specifiers_.end(), [](const Specifier& specifier) {
        return specifier.opts_into_prereleases();
    });
}

bool SpecifierSet::contains(const Version& version, std::optional<bool> prereleases) const {
    return !(prereleases == false && version.is_prerelease()) && contains(version);
}

bool SpecifierSet::contains(const WrittenVersion& version, std::optional<bool> prereleases) const {
    return !(prereleases == false && is_prerelease(version)) && contains(version);
}

std::optional<bool> SpecifierSet::policy(std::optional<bool> prereleases) const {
    return !prereleases && opts_into_prereleases() ? std::optional(true) : prereleases;
}

std::vector<Version>
SpecifierSet::filter(const std::vector<Version>& versions, std::optional<bool> prereleases) const {
    const auto matches = [this](const Version& version) { return contains(version); };
    std::vector<Version> result;
    for (const std::size_t i : kept(versions, matches, policy(prereleases))) {
        result.push_back(versions[i]);
    }
    return result;
}

std::vector<std::size_t> SpecifierSet::filter(
    const std::vector<WrittenVersion>& versions, std::optional<bool> prereleases
) const {
    const auto matches = [this](const WrittenVersion& version) { return contains(version); };
    return kept(versions, matches, policy(prereleases));
}

SpecifierSet SpecifierSet::intersect(const SpecifierSet& other) const {
    SpecifierSet both = *this;
    both.specifiers_.insert(
        both.specifiers_.end(), other.specifiers_.begin(), other.specifiers_.end()
    );
    return both;
}

bool SpecifierSet::operator==(const SpecifierSet& other) const {
    return canonical(specifiers_) == canonical(other.specifiers_);
}

}  // namespace wheelforge::pep
