// SPDX-License-Identifier: Apache-2.0
// Version specifiers (PEP 440, "Version specifiers"; pre-release policy of `packaging` 26).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "pep/version.hpp"

namespace wheelforge::pep {

/// A version as somebody wrote it. `===` compares that text, which need not be a version at all.
struct WrittenVersion {
    std::string text;
    std::optional<Version> version;  ///< nullopt when the text is no version
    [[nodiscard]] static WrittenVersion of(std::string text);
};

class Specifier {
public:
    enum class Operator {
        compatible,
        equal,
        not_equal,
        less_equal,
        greater_equal,
        less,
        greater,
        arbitrary
    };
    [[nodiscard]] static Parsed<Specifier> parse(std::string_view text);
    [[nodiscard]] Operator op() const noexcept { return operator_; }
    /// "2.*" has version 2 and wildcard true; "===" keeps its text only.
    [[nodiscard]] const std::optional<Version>& version() const noexcept { return version_; }
    [[nodiscard]] bool wildcard() const noexcept { return wildcard_; }
    /// Operator and version without white space, the version spelled as written (packaging's
    /// str()).
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// By the operator alone; pre-releases are not filtered here.
    [[nodiscard]] bool contains(const Version& version) const;
    [[nodiscard]] bool contains(const WrittenVersion& version) const;
    /// Whether the specifier itself names a pre-release and so opts in.
    [[nodiscard]] bool opts_into_prereleases() const noexcept { return opts_in_; }
    /// One text for all specifiers that are equal: "==1.0" equals "== 1.0.0".
    [[nodiscard]] const std::string& canonical_text() const noexcept { return canonical_; }
    bool operator==(const Specifier& other) const { return canonical_ == other.canonical_; }

private:
    friend struct SpecifierBuilder;
    [[nodiscard]] bool equals(const Version& version) const;
    Operator operator_ = Operator::equal;
    std::optional<Version> version_;
    bool wildcard_ = false;
    bool opts_in_ = false;
    std::string text_;
    std::string canonical_;
    // Bounds as sort keys, so that contains() only compares bytes. See specifier.cpp.
    std::string lower_;
    std::string upper_;
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
    /// The same for versions as written: packaging's contains() and filter() given strings.
    [[nodiscard]] bool
    contains(const WrittenVersion& version, std::optional<bool> prereleases) const;
    /// Positions of those that stay.
    [[nodiscard]] std::vector<std::size_t> filter(
        const std::vector<WrittenVersion>& versions, std::optional<bool> prereleases = std::nullopt
    ) const;
    [[nodiscard]] SpecifierSet intersect(const SpecifierSet& other) const;
    bool operator==(const SpecifierSet& other) const;

private:
    [[nodiscard]] bool contains(const WrittenVersion& version) const;
    /// What somebody decided about pre-releases, the specifiers themselves included.
    [[nodiscard]] std::optional<bool> policy(std::optional<bool> prereleases) const;
    std::vector<Specifier> specifiers_;  // as written
};

}  // namespace wheelforge::pep
