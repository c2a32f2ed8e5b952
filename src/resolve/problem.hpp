// SPDX-License-Identifier: Apache-2.0
// The question put to the resolver, and the facts it asks for. Values only: no I/O, no clock.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pep/requirement.hpp"
#include "pep/tags.hpp"
#include "pep/version.hpp"

namespace wheelforge::resolve {

/// Who wants something, in words a user can find: "requirements.txt:3", "click 8.1.7",
/// "the build of flask 3.1.0 ([build-system])".
struct Origin {
    enum class Kind { root, constraint, package, build, locked, coupling, replacement };
    Kind kind = Kind::root;
    std::string text;
    bool operator==(const Origin&) const = default;
};

struct Wanted {
    pep::Requirement requirement;
    Origin origin;
};

/// One version on offer. An unusable one stays in the list, so that a conflict can say why it was
/// not taken ("only wheels, and foo is not in pre_built", "requires Python >=3.13", "yanked: ...").
struct Offer {
    pep::Version version;
    std::optional<std::string> unusable;
    bool yanked = false;  ///< usable only by an == or === requirement (PEP 592)
};

/// What a version requires. `exact` is false for an estimate (a published wheel's METADATA).
struct Dependencies {
    std::vector<pep::Requirement> requires_dist;  ///< as in METADATA, markers unevaluated
    pep::SpecifierSet requires_python;
    bool exact = true;
    /// The extras the version has, normalised (Provides-Extra); nullopt when that is not known,
    /// and then no wanted extra counts as missing.
    std::optional<std::set<std::string>> provides_extra;
    /// Set when the requirements could not be found out: the version is then ruled out, with
    /// this reason in the prose.
    std::optional<std::string> unavailable;
};

/// What takes the place of everybody's specifiers on a package (`name==X` whatever others say).
/// Requirements still decide whether the package is wanted, and with which extras.
struct Replacement {
    Replacement(pep::SpecifierSet specifier_, Origin origin_ = {Origin::Kind::replacement, ""})
        : specifier(std::move(specifier_)), origin(std::move(origin_)) {}
    pep::SpecifierSet specifier;
    Origin origin;
};

/// Versions that only go together, which no metadata states. Extras count in `require` only.
struct Coupling {
    std::vector<pep::Requirement> when;     ///< all of them hold (empty: always)
    std::vector<pep::Requirement> require;  ///< then each of these must
    std::string because;                    ///< a sentence without period
    Origin origin{Origin::Kind::coupling, ""};
    /// Whether `require` also brings packages into the set that nobody else wants.
    bool adds = true;
};

struct Problem {
    std::string scope;                ///< "the runtime set", "the build of attrs 25.1.0"
    std::vector<Wanted> roots;        ///< markers are evaluated here, false ones drop out
    std::vector<Wanted> constraints;  ///< apply only to packages that are wanted anyway
    pep::Target target;
    /// Tried first, in order, when allowed (runtime pins, then the last graph's).
    std::vector<std::map<std::string, pep::Version>> preferences;
    /// Hard: this exact version if the package is in the set at all (match_runtime).
    std::map<std::string, std::pair<pep::Version, Origin>> locked;
    std::set<std::string> allow_prereleases;  ///< names for which any pre-release may be taken
    std::map<std::string, Replacement> overrides;
    std::set<std::string> dropped;  ///< requirements on these names are left out everywhere
    std::vector<Coupling> couplings;
    bool lowest = false;              ///< prefer the lowest version (--resolution lowest)
    std::set<std::string> lowest_of;  ///< of these names only (--resolution lowest-direct)
};

}  // namespace wheelforge::resolve
