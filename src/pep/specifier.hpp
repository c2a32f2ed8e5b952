// SPDX-License-Identifier: Apache-2.0
// Version specifiers (PEP 440, "Version specifiers"; pre-release policy of `packaging` 26).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "pep/version.hpp"

namespace wheelforge::pep {

class Specifier {
public:
    enum class Operator { compatible, equal, not_equal, less_equal, greater_equal, less, greater, arbitrary };
    [[nodiscard]] static Parsed<Specifier> parse(std::string_view text);
    [[nodiscard]] Operator op() const noexcept { return operator_; }
    /// "2.*" has version 2 and wildcard true; "===" keeps its text only.
    [[nodiscard]] const std::optional<Version>& version() const noexcept { return version_; }
    [[nodiscard]] bool wildcard() const noexcept { return wildcard_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }  ///< normalised
    /// By the operator alone; pre-releases are not filtered here.
    [[nodiscard]] bool contains(const Version& version) const;
    /// Whether the specifier itself names a pre-release and so opts in.
    [[nodiscard]] bool opts_into_prereleases() const;
    bool operator==(const Specifier& other) const { return text_ == other.text_; }

private:
    Operator operator_ = Operator::equal;
    std::optional<Version> version_;
    bool wildcard_ = false;
    std::string text_;
};

class SpecifierSet {
public:
    SpecifierSet() = default;
    [[nodiscard]] static Parsed<SpecifierSet> parse(std::string_view text);
    [[nodiscard]] const std::vector<Specifier>& specifiers() const noexcept { return specifiers_; }
    [[nodiscard]] bool empty() const noexcept { return specifiers_.empty(); }
    /// Sorted and comma-joined, as packaging's str().
    [[nodiscard]] std::string text() const;
    /// By the operators alone.
    [[nodiscard]] bool contains(const Version& version) const;
    [[nodiscard]] bool opts_into_prereleases() const;
    /// packaging's SpecifierSet.contains(version, prereleases).
    [[nodiscard]] bool contains(const Version& version, std::optional<bool> prereleases) const;
    /// packaging's SpecifierSet.filter: keeps order; pre-releases when opted in, or when nothing
    /// else matches.
    [[nodiscard]] std::vector<Version> filter(
        const std::vector<Version>& versions, std::optional<bool> prereleases = std::nullopt
    ) const;
    [[nodiscard]] SpecifierSet intersect(const SpecifierSet& other) const;
    bool operator==(const SpecifierSet& other) const;

private:
    std::vector<Specifier> specifiers_;
};

}  // namespace wheelforge::pep
