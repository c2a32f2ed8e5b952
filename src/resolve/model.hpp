// SPDX-License-Identifier: Apache-2.0
// The problem as the search sees it: packages (name, or name[extra]) and what has been said about
// them, turned into incompatibilities.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "resolve/catalogue.hpp"
#include "resolve/search.hpp"

namespace wheelforge::resolve {

/// Who says something: a version of a package, or the user on a line.
struct Speaker {
    PackageId package = nobody;
    std::size_t offer = 0;
    Origin origin;
    std::size_t line = Fact::no_line;
};

class Model {
public:
    explicit Model(const Problem& problem);

    [[nodiscard]] bool knows(const std::string& name) const { return bases_.contains(name); }
    /// Takes a package in, with what the user's own lines say about it.
    void
    introduce(const std::string& name, std::vector<Offer> offers, std::optional<std::string> url);

    // These return the incompatibilities that say it. All names must have been introduced.
    std::vector<ClauseId> demand(const Speaker& speaker, const pep::Requirement& requirement);
    ClauseId rule_out(PackageId package, std::size_t offer, const std::string& reason);
    void couple(const Coupling& coupling);
    /// Whether the packages of `when` are there and have versions for which it applies.
    [[nodiscard]] bool may_apply(const Coupling& coupling);

    [[nodiscard]] Search& search() noexcept { return search_; }
    [[nodiscard]] const Search& search() const noexcept { return search_; }
    [[nodiscard]] const Catalogue& catalogue(PackageId package) const {
        return *entries_[package].catalogue;
    }
    [[nodiscard]] const std::string& name(PackageId package) const {
        return catalogue(package).name();
    }
    [[nodiscard]] const std::string& extra(PackageId package) const {
        return entries_[package].extra;
    }
    /// "flask" or "flask[async]".
    [[nodiscard]] std::string label(PackageId package) const;
    [[nodiscard]] const pep::Version& version(PackageId package, std::size_t offer) const {
        return catalogue(package).version(offer);
    }
    [[nodiscard]] const Problem& problem() const noexcept { return *problem_; }

private:
    struct Entry {
        Catalogue* catalogue = nullptr;
        std::string extra;
    };
    /// speaker, object, text, kind: versions that say the same share one incompatibility.
    using SaidKey = std::tuple<PackageId, PackageId, std::string, Fact::Kind>;

    [[nodiscard]] Catalogue& catalogue_of(const std::string& name) {
        return *entries_[bases_.at(name)].catalogue;
    }
    PackageId package_for(const std::string& name, const std::string& extra);
    void state_user_lines(const std::string& name);
    void state_limit(
        Fact::Kind kind,
        PackageId package,
        const StateSet& allowed,
        const Speaker& who,
        const std::string& text
    );
    ClauseId
    say(const Speaker& speaker,
        Fact::Kind kind,
        PackageId object,
        const StateSet& refused,
        const std::string& text);
    [[nodiscard]] StateSet taken(const pep::Requirement& requirement);
    [[nodiscard]] StateSet matching(const pep::Requirement& requirement);

    const Problem* problem_;
    Search search_;
    std::map<std::string, Admission> admissions_;
    std::map<std::string, Catalogue> catalogues_;
    std::map<std::string, PackageId> bases_;
    std::map<std::pair<PackageId, std::string>, PackageId> extras_;
    std::vector<Entry> entries_;
    std::map<SaidKey, ClauseId> said_;
};

}  // namespace wheelforge::resolve
