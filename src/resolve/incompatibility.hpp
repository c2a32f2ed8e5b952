// SPDX-License-Identifier: Apache-2.0
// Incompatibilities: sets of terms that cannot all hold. Facts come from the problem and the
// answers; all others are learnt from conflicts and know their premises.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "resolve/problem.hpp"
#include "resolve/term.hpp"

namespace wheelforge::resolve {

using ClauseId = std::uint32_t;
inline constexpr ClauseId no_clause = UINT32_MAX;

/// What somebody said, kept for the prose.
struct Fact {
    enum class Kind {
        requirement,   ///< subject wants object
        exclusion,     ///< subject's requirement on object takes no pre-release or yanked version
        constraint,    ///< a constraint of the user on object
        lock,          ///< object is locked to one version
        replacement,   ///< an override on object
        coupling,      ///< a coupling of several packages
        unusable,      ///< offers of object that cannot be used; the offers say why
        ruled_out,     ///< versions of object whose requirements rule them out; text says why
        same_version,  ///< name[extra] is at the version of name
    };
    static constexpr std::size_t no_line = SIZE_MAX;

    Kind kind = Kind::requirement;
    PackageId subject = nobody;  ///< nobody when the user says it
    PackageId object = nobody;
    std::string text;  ///< "werkzeug>=3.1", or the reason
    Origin origin;
    std::size_t line = no_line;  ///< index in Problem::roots or constraints
};

/// Follows from the first premise by resolution with each of the others in turn.
struct Learnt {
    std::vector<ClauseId> premises;
};

struct Incompatibility {
    std::vector<Term> terms;  ///< at most one for a package
    std::variant<Fact, Learnt> cause;

    [[nodiscard]] const Fact* fact() const noexcept { return std::get_if<Fact>(&cause); }
    [[nodiscard]] const StateSet* term_of(PackageId package) const noexcept;
};

/// Adds a term: intersects with the one on the same package, if there is one.
void conjoin(std::vector<Term>& terms, PackageId package, const StateSet& states);
/// Drops terms that always hold.
void drop_full(std::vector<Term>& terms);
/// Whether the terms can hold together at all.
[[nodiscard]] bool can_hold(const std::vector<Term>& terms) noexcept;

/// The rule of resolution on `package`: what is incompatible whatever state it is in.
[[nodiscard]] std::vector<Term>
resolvent(const std::vector<Term>& left, const std::vector<Term>& right, PackageId package);

}  // namespace wheelforge::resolve
