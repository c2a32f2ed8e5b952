// SPDX-License-Identifier: Apache-2.0
#include "resolve/model.hpp"

#include <algorithm>

#include "pep/requirement_credentials.hpp"
#include "resolve/line.hpp"

namespace wheelforge::resolve {

namespace {

/// pip's word; no project can be called so.
const std::string every_name = ":all:";

std::map<std::string, Admission> admissions_of(const Problem& problem) {
    std::map<std::string, Admission> result;
    for (const auto* wanted : {&problem.roots, &problem.constraints}) {
        for (const Wanted& line : *wanted) {
            if (applies(line, problem)) {
                result[line.requirement.name].add(line.requirement.specifier);
            }
        }
    }
    for (const std::string& name : problem.allow_prereleases) {
        result[name].prereleases = true;
    }
    for (const auto& [name, replacement] : problem.overrides) {
        result[name].add(replacement.specifier);
    }
    for (const Coupling& coupling : problem.couplings) {
        for (const pep::Requirement& requirement : coupling.require) {
            result[requirement.name].add(requirement.specifier);
        }
    }
    for (const auto& [name, lock] : problem.locked) {
        result[name].add(pep::SpecifierSet::parse("===" + lock.first.text()).value());
        result[name].prereleases = true;
    }
    return result;
}

}  // namespace

Model::Model(const Problem& problem) : problem_(&problem), admissions_(admissions_of(problem)) {}

std::string Model::label(PackageId package) const {
    const std::string& of = extra(package);
    return of.empty() ? name(package) : name(package) + "[" + of + "]";
}

void Model::introduce(
    const std::string& name, std::vector<Offer> offers, std::optional<std::string> url
) {
    Admission& admission = admissions_[name];
    admission.prereleases =
        admission.prereleases || problem_->allow_prereleases.contains(every_name);
    const auto added =
        catalogues_.try_emplace(name, name, std::move(offers), admission, std::move(url));
    Catalogue& catalogue = added.first->second;
    bases_[name] = search_.add_package(catalogue.size());
    entries_.push_back({&catalogue, ""});
    state_user_lines(name);
}

PackageId Model::package_for(const std::string& name, const std::string& extra) {
    const PackageId base = bases_.at(name);
    if (extra.empty()) {
        return base;
    }
    const auto [entry, added] = extras_.try_emplace({base, extra}, nobody);
    if (added) {
        entry->second = search_.add_package(catalogue(base).size(), base);
        entries_.push_back({entries_[base].catalogue, extra});
    }
    return entry->second;
}

void Model::state_user_lines(const std::string& name) {
    const PackageId package = bases_.at(name);
    Catalogue& offers = catalogue_of(name);
    if (!offers.unusable().empty()) {
        say({}, Fact::Kind::unusable, package, offers.unusable(), "");
    }
    if (const auto lock = problem_->locked.find(name); lock != problem_->locked.end()) {
        const auto& [version, origin] = lock->second;
        const auto offer = offers.find(version);
        const StateSet allowed =
            offer ? StateSet::only(offers.size(), *offer) : StateSet::none(offers.size());
        const Speaker who{nobody, 0, origin, Fact::no_line};
        state_limit(Fact::Kind::lock, package, allowed, who, name + "==" + version.text());
    }
    if (const auto found = problem_->overrides.find(name); found != problem_->overrides.end()) {
        const Speaker who{nobody, 0, found->second.origin, Fact::no_line};
        const pep::SpecifierSet& only = found->second.specifier;
        state_limit(
            Fact::Kind::replacement, package, offers.matching(only), who, name + only.text()
        );
        return;
    }
    for (std::size_t line = 0; line < problem_->constraints.size(); ++line) {
        const Wanted& wanted = problem_->constraints[line];
        if (wanted.requirement.name == name && applies(wanted, *problem_)) {
            const Speaker who{nobody, 0, wanted.origin, line};
            state_limit(
                Fact::Kind::constraint,
                package,
                taken(wanted.requirement),
                who,
                pep::without_credentials(wanted.requirement).text_without_marker()
            );
        }
    }
}

void Model::state_limit(
    Fact::Kind kind,
    PackageId package,
    const StateSet& allowed,
    const Speaker& who,
    const std::string& text
) {
    say(who, kind, package, StateSet::present(allowed.offers()) - allowed, text);
}

StateSet Model::matching(const pep::Requirement& requirement) {
    Catalogue& offers = catalogue_of(requirement.name);
    if (!requirement.url) {
        return offers.matching(requirement.specifier);
    }
    return requirement.url == offers.url() ? StateSet::present(offers.size())
                                           : StateSet::none(offers.size());
}

StateSet Model::taken(const pep::Requirement& requirement) {
    return problem_->overrides.contains(requirement.name)
               ? StateSet::present(catalogue_of(requirement.name).size())
               : matching(requirement);
}

std::vector<ClauseId> Model::demand(const Speaker& speaker, const pep::Requirement& requirement) {
    const PackageId object = bases_.at(requirement.name);
    Catalogue& offers = catalogue_of(requirement.name);
    const bool replaced = problem_->overrides.contains(requirement.name);
    pep::Requirement shown = requirement;
    if (replaced) {
        shown.specifier = {};
        shown.url.reset();
    }
    const std::string text = pep::without_credentials(shown).text_without_marker();
    std::vector<ClauseId> said;
    const auto want = [&](PackageId package, const StateSet& wanted) {
        said.push_back(say(speaker, Fact::Kind::requirement, package, ~wanted, text));
    };
    want(object, taken(requirement));
    if (!replaced && !requirement.url) {
        const StateSet withheld = offers.withheld(requirement.specifier);
        said.push_back(say(speaker, Fact::Kind::exclusion, object, withheld, text));
    }
    for (const std::string& one : requirement.extras) {
        want(package_for(requirement.name, one), StateSet::present(offers.size()));
    }
    std::erase(said, no_clause);
    return said;
}

ClauseId Model::say(
    const Speaker& speaker,
    Fact::Kind kind,
    PackageId object,
    const StateSet& refused,
    const std::string& text
) {
    if (refused.empty()) {
        return no_clause;
    }
    Fact fact{kind, speaker.package, object, text, speaker.origin, speaker.line};
    if (speaker.package == nobody) {
        return search_.add_fact({{object, refused}}, std::move(fact));
    }
    const StateSet at = StateSet::only(catalogue(speaker.package).size(), speaker.offer);
    if (speaker.package == object && !refused.has(speaker.offer)) {
        return no_clause;
    }
    const auto [entry, added] = said_.try_emplace({speaker.package, object, text, kind}, no_clause);
    if (added) {
        entry->second =
            search_.add_fact({{speaker.package, at}, {object, refused}}, std::move(fact));
    } else {
        search_.widen(entry->second, speaker.package, at);
    }
    return entry->second;
}

ClauseId Model::rule_out(PackageId package, std::size_t offer, const std::string& reason) {
    const StateSet at = StateSet::only(catalogue(package).size(), offer);
    const auto [entry, added] =
        said_.try_emplace({nobody, package, reason, Fact::Kind::ruled_out}, no_clause);
    if (added) {
        Fact fact{Fact::Kind::ruled_out, nobody, package, reason, {}, Fact::no_line};
        entry->second = search_.add_fact({{package, at}}, std::move(fact));
    } else {
        search_.widen(entry->second, package, at);
    }
    return entry->second;
}

bool Model::may_apply(const Coupling& coupling) {
    return std::all_of(
        coupling.when.begin(),
        coupling.when.end(),
        [this](const pep::Requirement& requirement) {
            return knows(requirement.name) && !matching(requirement).empty();
        }
    );
}

void Model::couple(const Coupling& coupling) {
    std::vector<Term> when;
    for (const pep::Requirement& requirement : coupling.when) {
        conjoin(when, bases_.at(requirement.name), matching(requirement));
    }
    const auto state = [&](PackageId object, const StateSet& refused, const std::string& text) {
        std::vector<Term> terms = when;
        terms.push_back({object, refused});
        const PackageId subject = when.empty() ? nobody : when.front().package;
        search_.add_fact(
            std::move(terms),
            {Fact::Kind::coupling, subject, object, text, coupling.origin, Fact::no_line}
        );
    };
    for (const pep::Requirement& requirement : coupling.require) {
        const std::string text = coupling_text(coupling, requirement);
        const StateSet allowed = taken(requirement);
        const StateSet everything = StateSet::present(allowed.offers());
        state(bases_.at(requirement.name), coupling.adds ? ~allowed : everything - allowed, text);
        for (const std::string& extra : requirement.extras) {
            state(package_for(requirement.name, extra), ~everything, text);
        }
    }
}

}  // namespace wheelforge::resolve
