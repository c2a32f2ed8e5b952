// SPDX-License-Identifier: Apache-2.0
#include "resolve/explain.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "resolve/narrator.hpp"

namespace wheelforge::resolve {

namespace {

bool is_user_line(const Fact& fact) {
    return fact.line != Fact::no_line;
}

const Wanted& line_of(const Problem& problem, const UserLine& line) {
    return line.constraint ? problem.constraints[line.index] : problem.roots[line.index];
}

/// What the user could relax, in the order of the lines.
void add_lines(Conflict& conflict, const Model& model, const Core& core) {
    std::set<UserLine> lines;
    for (const Core::Item& item : core.items()) {
        if (is_user_line(item.fact)) {
            lines.insert({item.fact.kind == Fact::Kind::constraint, item.fact.line});
        }
    }
    conflict.lines.assign(lines.begin(), lines.end());
    for (const UserLine& line : lines) {
        const pep::Requirement& requirement = line_of(model.problem(), line).requirement;
        const bool pins = !requirement.specifier.empty() || requirement.url;
        const auto known =
            std::find(conflict.relaxable.begin(), conflict.relaxable.end(), requirement.name);
        if (pins && known == conflict.relaxable.end()) {
            conflict.relaxable.push_back(requirement.name);
        }
    }
}

/// Packages that have nothing to offer; the reason only if nothing else takes part.
void add_packages_without_versions(Conflict& conflict, const Model& model, const Core& core) {
    std::set<std::string> names;
    for (const Core::Item& item : core.items()) {
        const Catalogue& catalogue = model.catalogue(item.fact.object);
        const bool nothing = catalogue.unusable().count_present() == catalogue.size();
        if (nothing) {
            names.insert(catalogue.name());
        } else if (item.fact.kind != Fact::Kind::requirement) {
            return;
        }
    }
    conflict.packages_without_versions.assign(names.begin(), names.end());
}

}  // namespace

Conflict explain(const Model& model) {
    const Core core(model);
    Narrator narrator(model, core);
    narrator.tell();
    Conflict conflict;
    conflict.scope = model.problem().scope;
    conflict.chain = narrator.chain();
    conflict.prose = narrator.prose();
    add_lines(conflict, model, core);
    add_packages_without_versions(conflict, model, core);
    return conflict;
}

}  // namespace wheelforge::resolve
