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
    enum class Kind { root, constraint, package, build, locked, coupling };
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
    /// Set when the requirements could not be found out: the version is then ruled out, with
    /// this reason in the prose.
    std::optional<std::string> unavailable;
};

struct Problem {
    std::string scope;                     ///< "the runtime set", "the build of attrs 25.1.0"
    std::vector<Wanted> roots;             ///< markers are evaluated here, false ones drop out
    std::vector<Wanted> constraints;       ///< apply only to packages that are wanted anyway
    pep::Target target;
    /// Tried first, in order, when allowed (runtime pins, then the last graph's).
    std::vector<std::map<std::string, pep::Version>> preferences;
    /// Hard: this exact version if the package is in the set at all (match_runtime).
    std::map<std::string, std::pair<pep::Version, Origin>> locked;
    std::set<std::string> allow_prereleases;  ///< names for which any pre-release may be taken
    bool lowest = false;                      ///< prefer the lowest version (--resolution lowest)
};

}  // namespace wheelforge::resolve
