// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pep/characters.hpp"
#include "pep/specifier.hpp"

namespace wheelforge::pep {

namespace {

/// Sorted by text, then each specifier once: of equal ones the first spelling stays.
std::vector<Specifier> canonical(std::vector<Specifier> specifiers) {
    std::stable_sort(specifiers.begin(), specifiers.end(), [](const auto& a, const auto& b) {
        return a.text() < b.text();
    });
    std::vector<Specifier> unique;
    for (Specifier& specifier : specifiers) {
        if (std::find(unique.begin(), unique.end(), specifier) == unique.end()) {
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

/// Which of `matches` (positions in `versions`) stay: pre-releases only where they are allowed, or
/// where nobody said anything and there is nothing else.
template <typename Item>
std::vector<std::size_t> by_policy(
    std::vector<std::size_t> matches,
    const std::vector<Item>& versions,
    std::optional<bool> prereleases
) {
    const bool any_final = std::any_of(matches.begin(), matches.end(), [&](std::size_t i) {
        return is_final(versions[i]);
    });
    if (!prereleases.value_or(!any_final)) {
        std::erase_if(matches, [&](std::size_t i) { return is_prerelease(versions[i]); });
    }
    return matches;
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

std::vector<Version>
SpecifierSet::filter(const std::vector<Version>& versions, std::optional<bool> prereleases) const {
    std::vector<std::size_t> matches;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (contains(versions[i])) {
            matches.push_back(i);
        }
    }
    if (!prereleases && opts_into_prereleases()) {
        prereleases = true;
    }
    std::vector<Version> kept;
    for (const std::size_t i : by_policy(std::move(matches), versions, prereleases)) {
        kept.push_back(versions[i]);
    }
    return kept;
}

std::vector<std::size_t> SpecifierSet::filter(
    const std::vector<WrittenVersion>& versions, std::optional<bool> prereleases
) const {
    std::vector<std::size_t> matches;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (contains(versions[i])) {
            matches.push_back(i);
        }
    }
    if (!prereleases && opts_into_prereleases()) {
        prereleases = true;
    }
    return by_policy(std::move(matches), versions, prereleases);
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
