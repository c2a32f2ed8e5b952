// SPDX-License-Identifier: Apache-2.0
// The telling part of Scene: a walk from the contradiction to its reasons that reads forwards.
#include <algorithm>

#include "resolve/scene.hpp"

namespace wheelforge::resolve {

namespace {

/// More reasons against the versions of one package nobody reads.
constexpr std::size_t most_groups = 6;
constexpr std::size_t most_in_group = 4;

}  // namespace

void Scene::tell_contradiction() {
    const Incompatibility& clause = search_.clause(*violated_);
    const auto end = static_cast<std::uint32_t>(search_.solution().trail().size());
    if (clause.terms.empty()) {
        utter({*violated_, nobody, end, {}, {}, {}});
        return;
    }
    const PackageId package = package_of_conflict(*violated_);
    const StateSet nothing = StateSet::none(search_.solution().known(package).offers());
    narrate(package, steps_to(package, nothing, end, *violated_));
}

/// Where to tell the contradiction: at the subject, which is what fails, if there is one.
PackageId Scene::package_of_conflict(ClauseId clause) const {
    const std::vector<Term>& terms = search_.clause(clause).terms;
    const auto subject = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
        return core_->in_model(term.package) == fact(clause)->subject;
    });
    return subject == terms.end() ? terms.front().package : subject->package;
}

void Scene::tell_package(PackageId package) {
    const auto end = static_cast<std::uint32_t>(search_.solution().trail().size());
    because(package, search_.solution().known(package), end);
}

bool Scene::because(PackageId package, const StateSet& states, std::uint32_t before) {
    return narrate(package, steps_to(package, states, before));
}

/// Whether anything was told that takes versions away.
bool Scene::narrate(PackageId package, std::vector<Step> steps) {
    const auto blocks = std::stable_partition(steps.begin(), steps.end(), [](const Step& step) {
        return step.wants();
    });
    StateSet left = StateSet::present(search_.solution().known(package).offers());
    const auto narrow = [&left](Step& step) {
        step.left = left;
        step.about = left - step.allowed;
        left &= step.allowed;
    };
    std::for_each(steps.begin(), blocks, narrow);
    const auto highest_removed = [&left](const Step& step) {
        return (left - step.allowed).highest() + 1;  // none: 0
    };
    std::stable_sort(blocks, steps.end(), [&](const Step& a, const Step& b) {
        return highest_removed(a) > highest_removed(b);
    });
    std::for_each(blocks, steps.end(), narrow);
    narrate_wants({steps.begin(), blocks}, blocks != steps.end());
    const std::size_t before = utterances_.size();
    narrate_blocks({blocks, steps.end()}, blocks != steps.begin());
    return utterances_.size() > before;
}

void Scene::narrate_wants(const std::vector<Step>& wants, bool opposed) {
    for (std::size_t index = 0; index < wants.size(); ++index) {
        if (index > 0 && index + 1 == wants.size() && !opposed) {
            join_ = Join::but;
        }
        tell_reason(wants[index]);
    }
}

/// Versions that fail because of the same package are told together.
std::vector<std::vector<Scene::Step>> Scene::grouped(const std::vector<Step>& blocks) const {
    std::vector<std::vector<Step>> groups;
    for (const Step& block : blocks) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
            return same_object(one.front(), block);
        });
        if (group == groups.end()) {
            groups.push_back({block});
        } else {
            group->push_back(block);
        }
    }
    return groups;
}

bool Scene::same_object(const Step& a, const Step& b) const {
    const Fact& one = *fact(a.clause);
    const Fact& other = *fact(b.clause);
    return one.subject != nobody && one.subject == other.subject && one.object == other.object
           && one.kind == other.kind;
}

void Scene::narrate_blocks(const std::vector<Step>& blocks, bool wanted) {
    const std::vector<std::vector<Step>> groups = grouped(blocks);
    const auto speaks_for_itself = [this](const std::vector<Step>& group) {
        return fact(group.front().clause)->subject == nobody;
    };
    const bool simple = std::all_of(groups.begin(), groups.end(), speaks_for_itself);
    for (std::size_t index = 0; index < groups.size(); ++index) {
        if (simple && (wanted || index > 0)) {
            join_ = index == 0 ? Join::but : Join::and_;
        } else if (groups.size() > 1 && (wanted || index > 0)) {
            join_ = Join::stop;
        }
        if (index == most_groups) {
            utter_rest(groups[index].front().package, groups[index].front().left, "do not fit");
            return;
        }
        narrate_group(groups[index]);
    }
}

void Scene::narrate_group(const std::vector<Step>& group) {
    const std::size_t count = std::min(group.size(), most_in_group);
    for (std::size_t index = 0; index < count; ++index) {
        tell_reason(group[index]);
    }
    if (count < group.size()) {
        StateSet rest = StateSet::none(group.front().about.offers());
        for (std::size_t index = count; index < group.size(); ++index) {
            rest |= group[index].about;
        }
        utter_rest(group.front().package, rest, "need yet others");
    }
    for (std::size_t index = 0; index < count; ++index) {
        tell_opposition(group[index]);
    }
}

void Scene::tell_reason(const Step& step) {
    if (step.clause == no_clause || !told_.insert(step.clause).second) {
        return;
    }
    const PackageId object = object_of(step.clause);
    for (const Term& term : search_.clause(step.clause).terms) {
        if (term.package != step.package && term.package != object
            && because(term.package, term.states, step.position)) {
            join_ = Join::leaves;
        }
    }
    utter(step);
}

void Scene::tell_opposition(const Step& step) {
    const PackageId object = object_of(step.clause);
    if (object == nobody || object == step.package || !opposed_.insert(step.clause).second) {
        return;
    }
    join_ = Join::but;
    because(object, *search_.clause(step.clause).term_of(object), step.position);
    join_ = Join::comma;
}

void Scene::utter(const Step& step) {
    const Fact& said = *fact(step.clause);
    if (said.kind == Fact::Kind::same_version) {
        return;
    }
    const PackageId object = object_of(step.clause);
    const StateSet* refused =
        object == nobody ? nullptr : search_.clause(step.clause).term_of(object);
    Told told{&said, refused, versions_told(step), step.left, false};
    Phrase words = phrase(*model_, told);
    if (said.kind == Fact::Kind::exclusion && has_uttered(words.link)) {
        told.repeated = true;
        words = phrase(*model_, told);
    }
    const bool again =
        std::any_of(utterances_.begin(), utterances_.end(), [&words](const Utterance& one) {
            return one.phrase.text == words.text;
        });
    if (!again) {
        utterances_.push_back({join_, words});
        join_ = Join::comma;
    }
}

/// Whether the same line or version has made the same demand before.
bool Scene::has_uttered(const Link& link) const {
    return std::any_of(utterances_.begin(), utterances_.end(), [&link](const Utterance& one) {
        return one.phrase.link.package == link.package
               && one.phrase.link.requires_ == link.requires_;
    });
}

/// The versions a fact is about: those of its subject that are possible at that point, or those
/// that it takes away.
StateSet Scene::versions_told(const Step& step) const {
    const Fact& said = *fact(step.clause);
    for (const Term& term : search_.clause(step.clause).terms) {
        if (core_->in_model(term.package) == said.subject) {
            const bool narrowed = !step.about.empty() && step.about.subset_of(term.states);
            return narrowed && term.package == step.package
                       ? step.about
                       : known_before(term.package, step.position) & term.states;
        }
    }
    return step.about;
}

void Scene::utter_rest(PackageId package, const StateSet& versions, const std::string& verb) {
    const PackageId in_model = core_->in_model(package);
    const std::size_t count = versions.count_present();
    const std::string which = std::to_string(count) + " more version" + (count == 1 ? "" : "s")
                              + " of " + model_->label(in_model) + " ("
                              + versions_text(model_->catalogue(in_model), versions) + ") ";
    utterances_.push_back({join_, {{}, which + verb}});
    join_ = Join::comma;
}

std::string Scene::text() const {
    std::string text;
    std::size_t since_but = 0;  // utterances in a strand behind "but"; 0: not behind one
    for (std::size_t index = 0; index < utterances_.size(); ++index) {
        const Utterance& utterance = utterances_[index];
        const bool last =
            index + 1 == utterances_.size() || utterances_[index + 1].join != Join::comma;
        if (utterance.join == Join::but) {
            since_but = 1;
        } else if (utterance.join != Join::comma) {
            since_but = 0;
        } else if (since_but > 0) {
            ++since_but;
        }
        if (!text.empty()) {
            text += since_but > 1 && last ? " and " : joint(utterance.join, utterance.phrase);
        }
        text += utterance.phrase.text;
    }
    return text;
}

std::string Scene::joint(Join join, const Phrase& phrase) {
    switch (join) {
    case Join::comma:
        return ", ";
    case Join::and_:
        return ", and ";
    case Join::but:
        return ", but ";
    case Join::leaves:
        return "; that leaves " + phrase.link.package + ", and ";
    case Join::stop:
        break;
    }
    return ". ";
}

std::vector<Link> Scene::links() const {
    std::vector<Link> links;
    for (const Utterance& utterance : utterances_) {
        if (!utterance.phrase.link.requires_.empty()) {
            links.push_back(utterance.phrase.link);
        }
    }
    return links;
}

}  // namespace wheelforge::resolve
