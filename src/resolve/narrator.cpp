// SPDX-License-Identifier: Apache-2.0
#include "resolve/narrator.hpp"

#include <algorithm>
#include <map>

namespace wheelforge::resolve {

namespace {

/// Deeper or longer stories say that it goes on like that.
constexpr std::size_t most_depth = 3;
constexpr std::size_t most_cases = 4;

}  // namespace

void Narrator::tell() {
    tell_case("", {}, {});
}

std::string Narrator::prose() const {
    std::string text;
    for (const std::string& line : lines_) {
        text += (text.empty() ? "" : "\n") + line;
    }
    return text + (lines_.size() == 1 ? " " : "\n") + "So there is no solution.";
}

void Narrator::add_line(const std::string& text, std::size_t depth) {
    lines_.push_back(std::string(depth * 2, ' ') + text + ".");
}

void Narrator::tell_case(
    const std::string& heading,
    const std::vector<Assumption>& assumptions,
    const std::set<ClauseId>& told
) {
    Scene scene(*model_, *core_, assumptions);
    scene.assume_told(told);
    if (!scene.contradicts()) {
        tell_cases(heading, assumptions, scene);
        return;
    }
    scene.tell_contradiction();
    const std::vector<Link> links = scene.links();
    chain_.insert(chain_.end(), links.begin(), links.end());
    const std::string text = scene.text();
    add_line(heading + (text.empty() ? "the same holds" : text), assumptions.size());
}

void Narrator::tell_cases(
    const std::string& heading, const std::vector<Assumption>& assumptions, Scene& scene
) {
    const std::size_t depth = assumptions.size();
    const PackageId package = to_split(scene.search());
    scene.tell_package(package);
    const std::vector<Link> links = scene.links();
    chain_.insert(chain_.end(), links.begin(), links.end());
    const std::string introduction = scene.text();
    const std::string label = model_->label(core_->in_model(package));
    if (depth == most_depth) {
        add_line(heading + "no version of " + label + " fits either", depth);
        return;
    }
    if (!introduction.empty() || !heading.empty()) {
        const std::string open = introduction.empty() ? "it depends on " + label : introduction;
        add_line(heading + open, depth);
    }
    const std::vector<StateSet> cases = alike(scene.search(), package);
    StateSet rest = scene.search().solution().known(package);
    for (std::size_t index = 0; index < std::min(cases.size(), most_cases); ++index) {
        std::vector<Assumption> inner = assumptions;
        inner.push_back({package, cases[index]});
        tell_case(case_heading(inner.back()), inner, scene.told());
        rest -= cases[index];
    }
    if (cases.size() > most_cases) {
        add_line(case_heading({package, rest}) + "it fails in the same way", depth + 1);
    }
}

std::string Narrator::case_heading(const Assumption& assumption) const {
    const PackageId package = core_->in_model(assumption.package);
    return "With " + model_->label(package) + " "
           + versions_text(model_->catalogue(package), assumption.states) + ": ";
}

std::vector<StateSet> Narrator::alike(const Search& search, PackageId package) const {
    const StateSet& known = search.solution().known(package);
    std::vector<std::pair<std::vector<bool>, StateSet>> groups;
    std::vector<std::size_t> offers = known.present_offers();
    std::reverse(offers.begin(), offers.end());
    for (const std::size_t offer : offers) {
        std::vector<bool> treatment;
        for (const Core::Item& item : core_->items()) {
            const auto term =
                std::find_if(item.terms.begin(), item.terms.end(), [package](const Term& one) {
                    return one.package == package;
                });
            treatment.push_back(term != item.terms.end() && term->states.has(offer));
        }
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
            return one.first == treatment;
        });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {treatment, StateSet::none(known.offers())});
        }
        group->second.add(offer);
    }
    std::vector<StateSet> result;
    for (auto& [treatment, versions] : groups) {
        result.push_back(std::move(versions));
    }
    return result;
}

PackageId Narrator::to_split(const Search& search) const {
    PackageId best = nobody;
    std::size_t fewest = 0;
    for (const PackageId package : search.solution().undecided()) {
        const std::size_t cases = alike(search, package).size();
        if (cases > 1 && (best == nobody || cases < fewest)) {
            best = package;
            fewest = cases;
        }
    }
    return best;
}

}  // namespace wheelforge::resolve
