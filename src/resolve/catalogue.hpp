// SPDX-License-Identifier: Apache-2.0
// The offers of one package as the solver sees them: sorted, and with the rules by which a
// requirement admits them (PEP 440 pre-releases, PEP 592 yanks).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "resolve/problem.hpp"
#include "resolve/term.hpp"

namespace wheelforge::resolve {

/// What the user's own lines allow beforehand, whoever then asks for the package.
struct Admission {
    bool prereleases = false;
    std::vector<pep::Specifier> pins;  ///< == and === lines: they admit yanked versions
    void add(const pep::SpecifierSet& specifier);
};

class Catalogue {
public:
    /// @param url  where the only offer comes from; whoever wants that URL wants that offer
    Catalogue(
        std::string name,
        std::vector<Offer> offers,
        const Admission& admission,
        std::optional<std::string> url = std::nullopt
    );
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<Offer>& offers() const noexcept { return offers_; }
    [[nodiscard]] std::size_t size() const noexcept { return offers_.size(); }
    [[nodiscard]] const std::optional<std::string>& url() const noexcept { return url_; }
    [[nodiscard]] const pep::Version& version(std::size_t offer) const {
        return offers_[offer].version;
    }
    [[nodiscard]] std::optional<std::size_t> find(const pep::Version& version) const;
    [[nodiscard]] const StateSet& unusable() const noexcept { return unusable_; }

    /// Offers that the operators of a specifier take.
    [[nodiscard]] const StateSet& matching(const pep::SpecifierSet& specifier);
    /// Usable offers among those that a requirement takes by its operators but must not be given:
    /// pre-releases nobody opted into, and yanked versions it does not pin.
    [[nodiscard]] StateSet withheld(const pep::SpecifierSet& specifier);

private:
    std::string name_;
    std::vector<Offer> offers_;
    std::optional<std::string> url_;
    StateSet unusable_;
    StateSet yanked_;       ///< those that only a requirement that pins them gets
    StateSet prereleases_;  ///< those that only a requirement that opts in gets
    std::map<std::string, StateSet> matching_;
};

}  // namespace wheelforge::resolve
