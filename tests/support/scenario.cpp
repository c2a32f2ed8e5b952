// SPDX-License-Identifier: Apache-2.0
#include "support/scenario.hpp"

#include <random>
#include <stdexcept>

#include "base/text.hpp"
#include "base/yaml.hpp"

namespace wheelforge::test {

using resolve::Origin;
using yaml::Node;

namespace {

std::vector<pep::Requirement> requirements_of(const Node& node) {
    std::vector<pep::Requirement> result;
    for (const std::string& text : node.as_strings()) {
        result.push_back(requirement(text));
    }
    return result;
}

Universe::Release read_release(const std::string& at, const Node& node) {
    Universe::Release release;
    release.offer.version = version(at);
    resolve::Dependencies& dependencies = release.dependencies;
    if (node.is_null()) {
        return release;
    }
    if (node.kind == Node::Kind::sequence) {
        dependencies.requires_dist = requirements_of(node);
        return release;
    }
    node.only_keys(
        {"requires", "requires-python", "yanked", "unusable", "unavailable", "extras", "estimate"},
        "release"
    );
    if (const Node* value = node.find("requires")) {
        dependencies.requires_dist = requirements_of(*value);
    }
    if (const Node* value = node.find("requires-python")) {
        dependencies.requires_python = pep::SpecifierSet::parse(value->as_string()).value();
    }
    if (const Node* value = node.find("extras")) {
        const std::vector<std::string> extras = value->as_strings();
        dependencies.provides_extra.emplace(extras.begin(), extras.end());
    }
    if (const Node* value = node.find("unavailable")) {
        dependencies.unavailable = value->as_string();
    }
    if (const Node* value = node.find("unusable")) {
        release.offer.unusable = value->as_string();
    }
    const Node* yanked = node.find("yanked");
    release.offer.yanked = yanked != nullptr && yanked->as_bool();
    const Node* estimate = node.find("estimate");
    dependencies.exact = estimate == nullptr || !estimate->as_bool();
    return release;
}

void read_universe(const Node& node, Universe& universe) {
    for (const auto& [name, versions] : node.as_mapping()) {
        for (const auto& [at, release] : versions.as_mapping()) {
            universe.add(name, read_release(at, release));
        }
    }
}

void read_urls(const Node& node, Universe& universe) {
    for (const auto& [url, content] : node.as_mapping()) {
        const auto& [name, versions] = content.as_mapping().front();
        const auto& [at, release] = versions.as_mapping().front();
        universe.add_url(url, name, read_release(at, release));
    }
}

std::vector<resolve::Wanted>
read_lines(const Node* node, const std::string& file, Origin::Kind kind) {
    std::vector<resolve::Wanted> result;
    if (node != nullptr) {
        for (const std::string& text : node->as_strings()) {
            const std::string line = std::to_string(result.size() + 1);
            result.push_back({requirement(text), {kind, file + ":" + line}});
        }
    }
    return result;
}

resolve::Coupling read_coupling(const Node& node) {
    resolve::Coupling coupling;
    coupling.when = requirements_of(*node.find("when"));
    coupling.require = requirements_of(*node.find("require"));
    coupling.because = node.find("because")->as_string();
    coupling.origin.text = "settings.yaml";
    const Node* adds = node.find("adds");
    coupling.adds = adds == nullptr || adds->as_bool();
    return coupling;
}

void read_rules(const Node& node, resolve::Problem& problem) {
    if (const Node* value = node.find("locked")) {
        for (const auto& [name, at] : value->as_mapping()) {
            const Origin origin{Origin::Kind::locked, "the runtime set"};
            problem.locked[name] = {version(at.as_string()), origin};
        }
    }
    if (const Node* value = node.find("overrides")) {
        for (const auto& [name, only] : value->as_mapping()) {
            const Origin origin{Origin::Kind::replacement, "settings.yaml"};
            const auto specifier = pep::SpecifierSet::parse(only.as_string()).value();
            problem.overrides.insert({name, {specifier, origin}});
        }
    }
    if (const Node* value = node.find("dropped")) {
        const std::vector<std::string> names = value->as_strings();
        problem.dropped.insert(names.begin(), names.end());
    }
    if (const Node* value = node.find("couplings")) {
        for (const Node& coupling : value->as_sequence()) {
            problem.couplings.push_back(read_coupling(coupling));
        }
    }
}

void read_choices(const Node& node, resolve::Problem& problem) {
    if (const Node* value = node.find("preferences")) {
        for (const Node& preference : value->as_sequence()) {
            auto& versions = problem.preferences.emplace_back();
            for (const auto& [name, at] : preference.as_mapping()) {
                versions[name] = version(at.as_string());
            }
        }
    }
    if (const Node* value = node.find("prereleases")) {
        const std::vector<std::string> names = value->as_strings();
        problem.allow_prereleases.insert(names.begin(), names.end());
    }
    const Node* lowest = node.find("lowest");
    problem.lowest = lowest != nullptr && lowest->as_bool();
}

void read_expectations(const Node& node, Scenario& scenario) {
    if (const Node* value = node.find("pins")) {
        auto& pins = scenario.pins.emplace();
        for (const auto& [name, at] : value->as_mapping()) {
            pins[name] = at.as_string();
        }
    }
    if (const Node* value = node.find("missing-extras")) {
        scenario.missing_extras = value->as_string();
    }
    if (const Node* value = node.find("suggest")) {
        scenario.suggestions = value->as_strings();
    }
    if (const Node* value = node.find("prose")) {
        scenario.prose = value->as_string();
    }
    if (const Node* value = node.find("most-decisions")) {
        scenario.most_decisions = static_cast<std::size_t>(value->as_int());
    }
    if (const Node* value = node.find("most-versions")) {
        scenario.most_versions = static_cast<std::size_t>(value->as_int());
    }
}

}  // namespace

Scenario load_scenario(const std::string& path) {
    const Node node = yaml::load(path);
    node.only_keys(
        {"about",
         "python",
         "universe",
         "urls",
         "roots",
         "constraints",
         "locked",
         "overrides",
         "dropped",
         "couplings",
         "preferences",
         "prereleases",
         "lowest",
         "pins",
         "missing-extras",
         "suggest",
         "prose",
         "most-decisions",
         "most-versions"},
        "scenario"
    );
    Scenario scenario;
    resolve::Problem& problem = scenario.problem;
    problem.scope = "the runtime set";
    const Node* python = node.find("python");
    problem.target = target(python == nullptr ? "3.12.1" : python->as_string());
    problem.roots = read_lines(node.find("roots"), "requirements.txt", Origin::Kind::root);
    problem.constraints =
        read_lines(node.find("constraints"), "constraints.txt", Origin::Kind::constraint);
    read_rules(node, problem);
    read_choices(node, problem);
    if (const Node* value = node.find("universe")) {
        read_universe(*value, scenario.universe);
    }
    if (const Node* value = node.find("urls")) {
        read_urls(*value, scenario.universe);
    }
    read_expectations(node, scenario);
    return scenario;
}

std::string label(const std::string& name, const std::set<std::string>& extras) {
    const std::vector<std::string> names(extras.begin(), extras.end());
    return extras.empty() ? name : name + "[" + join(names, ",") + "]";
}

std::string describe(const resolve::Outcome& outcome) {
    if (const auto* conflict = std::get_if<resolve::Conflict>(&outcome)) {
        return conflict->prose;
    }
    std::string text;
    for (const resolve::Pin& pin : std::get<resolve::Resolution>(outcome).pins) {
        text += label(pin.name, pin.extras) + " " + pin.version.text() + "\n";
        for (const resolve::Edge& edge : pin.requires_) {
            text += "    " + edge.requirement.text() + " by " + edge.origin.text + "\n";
        }
    }
    return text;
}

namespace {

/// Questions that have been asked and not been answered yet.
class Pending {
public:
    void add(const resolve::NeedVersions& question) {
        for (const std::string& name : question.names) {
            const auto url = question.urls.find(name);
            names_.emplace_back(name, url == question.urls.end() ? "" : url->second);
        }
    }
    void add(const resolve::NeedRequirements& question) {
        versions_.insert(versions_.end(), question.versions.begin(), question.versions.end());
    }
    [[nodiscard]] std::size_t size() const { return names_.size() + versions_.size(); }

    void answer(std::size_t index, resolve::Resolver& resolver, resolve::Answerer& answerer) {
        if (index < names_.size()) {
            const auto [name, url] = take(names_, index);
            resolver.answer_versions(name, answerer.versions(name, url), url);
        } else {
            const auto [name, version] = take(versions_, index - names_.size());
            resolver.answer_requirements(name, version, answerer.requirements(name, version));
        }
    }

private:
    template <typename T>
    static T take(std::vector<T>& from, std::size_t index) {
        T result = from[index];
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(index));
        return result;
    }
    std::vector<std::pair<std::string, std::string>> names_;
    std::vector<std::pair<std::string, pep::Version>> versions_;
};

}  // namespace

resolve::Outcome
solve_shuffled(resolve::Resolver& resolver, resolve::Answerer& answerer, unsigned seed) {
    std::mt19937 random(seed);
    Pending pending;
    while (true) {
        resolve::Step step = resolver.next();
        if (auto* resolution = std::get_if<resolve::Resolution>(&step)) {
            return std::move(*resolution);
        }
        if (auto* conflict = std::get_if<resolve::Conflict>(&step)) {
            return std::move(*conflict);
        }
        if (const auto* versions = std::get_if<resolve::NeedRequirements>(&step)) {
            pending.add(*versions);
            continue;
        }
        const auto& names = std::get<resolve::NeedVersions>(step);
        pending.add(names);
        if (!names.names.empty()) {
            continue;
        }
        if (pending.size() == 0) {
            throw std::logic_error("nothing is asked, and nothing is decided");
        }
        pending.answer(random() % pending.size(), resolver, answerer);
    }
}

}  // namespace wheelforge::test
