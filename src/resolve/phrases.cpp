// SPDX-License-Identifier: Apache-2.0
#include "resolve/phrases.hpp"

#include <algorithm>
#include <utility>

#include "base/http.hpp"
#include "base/text.hpp"

namespace wheelforge::resolve {

namespace {

constexpr std::size_t most_runs = 4;
constexpr std::size_t most_reasons = 4;

using Run = std::pair<std::size_t, std::size_t>;  ///< first and last offer

std::vector<Run> runs_of(const StateSet& versions) {
    std::vector<Run> runs;
    for (const std::size_t offer : versions.present_offers()) {
        if (!runs.empty() && runs.back().second + 1 == offer) {
            runs.back().second = offer;
        } else {
            runs.emplace_back(offer, offer);
        }
    }
    return runs;
}

/// "flask 3.1.0", "flask 3.0.0 to 3.1.2", "every version of flask"
std::string versions_of(const Model& model, PackageId package, const StateSet& about) {
    const Catalogue& catalogue = model.catalogue(package);
    const std::size_t count = about.count_present();
    if (count > 1 && count == catalogue.size()) {
        return "every version of " + model.label(package);
    }
    return model.label(package) + " " + versions_text(catalogue, about);
}

bool is_plural(const Catalogue& catalogue, const StateSet& about) {
    return about.count_present() > 1 && about.count_present() < catalogue.size();
}

std::string speaker(const Fact& fact, const std::string& otherwise = "the request") {
    return fact.origin.text.empty() ? otherwise : fact.origin.text;
}

std::string all_there_is(const Catalogue& catalogue) {
    const std::string all = versions_text(catalogue, StateSet::present(catalogue.size()));
    return all + (catalogue.size() == 1 ? " is" : " are") + " all there is";
}

/// Why a requirement takes no version at all.
std::string nothing_taken(const Model& model, PackageId object) {
    const Catalogue& catalogue = model.catalogue(object);
    if (catalogue.url()) {
        const std::string from =
            ", but " + catalogue.name() + " comes from " + masked_url(*catalogue.url());
        return catalogue.size() == 0 ? from + ", where there is none"
                                     : from + ", which is " + catalogue.version(0).text();
    }
    if (catalogue.size() == 0) {
        return ", but no index knows that name";
    }
    return ", but there is no such version (" + all_there_is(catalogue) + ")";
}

/// What the user says for everybody: a constraint, a lock, an override.
std::string limit_text(const Model& model, const Told& told, const std::string& says) {
    const Catalogue& catalogue = model.catalogue(told.fact->object);
    const std::string text = says + told.fact->text;
    const bool nothing = told.refused->count_present() == catalogue.size();
    return nothing ? text + ", which is not on offer (" + all_there_is(catalogue) + ")" : text;
}

/// "flask 3.1.0 needs", "requirements.txt:2 wants"
std::string asking(const Model& model, const Told& told) {
    const Fact& fact = *told.fact;
    if (fact.subject == nobody) {
        return speaker(fact) + " wants ";
    }
    const bool plural = is_plural(model.catalogue(fact.subject), told.about);
    return versions_of(model, fact.subject, told.about) + (plural ? " need " : " needs ");
}

std::string requirement_text(const Model& model, const Told& told) {
    const Fact& fact = *told.fact;
    const std::string text = asking(model, told) + fact.text;
    if (fact.subject == fact.object) {
        return text + ", which it is not itself";
    }
    return told.refused == nullptr ? text + nothing_taken(model, fact.object) : text;
}

std::string exclusion_text(const Model& model, const Told& told) {
    const Catalogue& catalogue = model.catalogue(told.fact->object);
    StateSet early = StateSet::none(catalogue.size());
    StateSet yanked = early;
    for (const std::size_t offer : told.refused->present_offers()) {
        (catalogue.offers()[offer].yanked ? yanked : early).add(offer);
    }
    std::vector<std::string> kinds;
    if (!early.empty()) {
        kinds.push_back("no pre-release (" + versions_text(catalogue, early) + ")");
    }
    if (!yanked.empty()) {
        kinds.push_back("no yanked version (" + versions_text(catalogue, yanked) + ")");
    }
    const std::string takes = " takes " + join(kinds, " and ");
    return told.repeated ? "that" + takes
                         : asking(model, told) + told.fact->text + ", which" + takes;
}

/// "8.2.0 (only wheels), 8.1.0 and 8.1.1 (no files)"
std::string reasons_text(const Catalogue& catalogue, const StateSet& about) {
    std::vector<std::pair<std::string, StateSet>> groups;
    std::vector<std::size_t> offers = about.present_offers();
    std::reverse(offers.begin(), offers.end());
    for (const std::size_t offer : offers) {
        const std::string& reason = catalogue.offers()[offer].unusable.value();
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
            return one.first == reason;
        });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {reason, StateSet::none(catalogue.size())});
        }
        group->second.add(offer);
    }
    std::string text;
    for (std::size_t index = 0; index < std::min(groups.size(), most_reasons); ++index) {
        const auto& [reason, versions] = groups[index];
        text += (index > 0 ? ", " : "") + versions_text(catalogue, versions) + " (" + reason + ")";
    }
    if (groups.size() > most_reasons) {
        text +=
            ", and others for " + std::to_string(groups.size() - most_reasons) + " more reasons";
    }
    return text;
}

std::string unusable_text(const Model& model, const Told& told) {
    const PackageId object = told.fact->object;
    const Catalogue& catalogue = model.catalogue(object);
    const std::string& name = catalogue.name();
    const std::string reasons = reasons_text(catalogue, told.about);
    const std::size_t count = told.about.count_present();
    const bool all = told.left.count_present() == count;
    if (!all) {
        return name + " cannot be used at " + reasons;
    }
    if (count == 1) {
        return name + " has one version that fits, and it is not usable: " + reasons;
    }
    return name + " has " + std::to_string(count) + " versions that fit, none usable: " + reasons;
}

std::string text_of(const Model& model, const Told& told) {
    const Fact& fact = *told.fact;
    switch (fact.kind) {
    case Fact::Kind::requirement:
        return requirement_text(model, told);
    case Fact::Kind::exclusion:
        return exclusion_text(model, told);
    case Fact::Kind::constraint:
        return limit_text(model, told, speaker(fact) + " pins ");
    case Fact::Kind::lock:
        return limit_text(model, told, speaker(fact, "a lock") + " has ");
    case Fact::Kind::replacement:
        return limit_text(model, told, speaker(fact, "an override") + " says ");
    case Fact::Kind::coupling:
        return speaker(fact, "a coupling") + " says " + fact.text;
    case Fact::Kind::unusable:
        return unusable_text(model, told);
    case Fact::Kind::ruled_out:
        return versions_of(model, fact.object, told.about) + " cannot be used: " + fact.text;
    case Fact::Kind::same_version:
        break;
    }
    return {};
}

Link link_of(const Model& model, const Told& told) {
    const Fact& fact = *told.fact;
    Link link{fact.origin.text, fact.text, fact.origin.text};
    if (fact.kind == Fact::Kind::unusable) {
        link.package = versions_of(model, fact.object, told.about);
        link.requires_ = "unusable: " + reasons_text(model.catalogue(fact.object), told.about);
    } else if (fact.kind == Fact::Kind::ruled_out) {
        link.package = versions_of(model, fact.object, told.about);
    } else if (fact.kind != Fact::Kind::coupling && fact.subject != nobody) {
        link.package = versions_of(model, fact.subject, told.about);
    }
    return link;
}

}  // namespace

std::string versions_text(const Catalogue& catalogue, const StateSet& versions) {
    const std::vector<Run> runs = runs_of(versions);
    const auto name = [&](std::size_t offer) { return catalogue.version(offer).text(); };
    if (runs.size() > most_runs) {
        return std::to_string(versions.count_present()) + " versions from "
               + name(runs.front().first) + " to " + name(runs.back().second);
    }
    std::vector<std::string> parts;
    for (const auto& [first, last] : runs) {
        if (last > first + 1) {
            parts.push_back(name(first) + " to " + name(last));
            continue;
        }
        parts.push_back(name(first));
        if (last > first) {
            parts.push_back(name(last));
        }
    }
    std::string text;
    for (std::size_t index = 0; index < parts.size(); ++index) {
        text += index == 0 ? "" : index + 1 == parts.size() ? " and " : ", ";
        text += parts[index];
    }
    return text;
}

Phrase phrase(const Model& model, const Told& told) {
    return {link_of(model, told), text_of(model, told)};
}

}  // namespace wheelforge::resolve
