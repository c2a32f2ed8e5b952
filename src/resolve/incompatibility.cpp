// SPDX-License-Identifier: Apache-2.0
#include "resolve/incompatibility.hpp"

#include <algorithm>

namespace wheelforge::resolve {

namespace {

auto find_term(auto& terms, PackageId package) {
    return std::find_if(terms.begin(), terms.end(), [package](const Term& term) {
        return term.package == package;
    });
}

}  // namespace

const StateSet* Incompatibility::term_of(PackageId package) const noexcept {
    const auto found = find_term(terms, package);
    return found == terms.end() ? nullptr : &found->states;
}

void conjoin(std::vector<Term>& terms, PackageId package, const StateSet& states) {
    const auto found = find_term(terms, package);
    if (found == terms.end()) {
        terms.push_back({package, states});
    } else {
        found->states &= states;
    }
}

void drop_full(std::vector<Term>& terms) {
    std::erase_if(terms, [](const Term& term) { return term.states.full(); });
}

bool can_hold(const std::vector<Term>& terms) noexcept {
    return std::none_of(terms.begin(), terms.end(), [](const Term& term) {
        return term.states.empty();
    });
}

std::vector<Term>
resolvent(const std::vector<Term>& left, const std::vector<Term>& right, PackageId package) {
    std::vector<Term> result = left;
    find_term(result, package)->states |= find_term(right, package)->states;
    for (const Term& term : right) {
        if (term.package != package) {
            conjoin(result, term.package, term.states);
        }
    }
    drop_full(result);
    return result;
}

}  // namespace wheelforge::resolve
